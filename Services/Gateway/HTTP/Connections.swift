import ClientAddresses
import Metrics
import NIOCore
import Synchronization

/// The open connections of a port: how many, from which networks, and each of them to be closed.
final class Connections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var perNetwork: [ClientNetwork: Int] = [:]
  }

  private let state = Mutex(State())
  private let limits: HTTPLimits
  private let open = Meter(label: "gateway_connections")
  private let refused = Counter(label: "gateway_refusals", dimensions: [("reason", "TOO_MANY_CONNECTIONS")])

  init(limits: HTTPLimits) { self.limits = limits }

  /// Counts a connection until it closes; false where there are too many.
  func enter(_ channel: any Channel, from network: ClientNetwork) -> Bool {
    let isIn = state.withLock { state in
      guard state.channels.count < limits.connections,
        state.perNetwork[network, default: 0] < limits.connectionsPerAddress
      else { return false }
      state.perNetwork[network, default: 0] += 1
      state.channels[ObjectIdentifier(channel)] = channel
      return true
    }
    guard isIn else {
      refused.increment()
      return false
    }
    open.increment()
    channel.closeFuture.whenComplete { _ in self.leave(ObjectIdentifier(channel), network) }
    return true
  }

  private func leave(_ channel: ObjectIdentifier, _ network: ClientNetwork) {
    open.decrement()
    state.withLock { state in
      state.channels[channel] = nil
      let left = state.perNetwork[network, default: 1] - 1
      state.perNetwork[network] = left > 0 ? left : nil
    }
  }

  /// Closes what is still open.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }
}

/// How many requests each client may make, by its network or by its token: a bucket that fills at the limit's rate and holds two
/// seconds' worth.
public final class RequestRates<Client: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: NIODeadline
  }

  private let buckets = Mutex<[Client: Bucket]>([:])
  private let perSecond: Double
  /// Clients that are remembered. Beyond it full buckets are forgotten: they say nothing.
  private let maxClients = 50_000

  /// - Parameter perSecond: requests a second from one client.
  public init(perSecond: Int) { self.perSecond = Double(perSecond) }

  /// Takes a request's token; false where the client made too many.
  public func take(from client: Client, at now: NIODeadline = .now()) -> Bool {
    buckets.withLock { buckets in
      if buckets.count >= maxClients { forgetFull(&buckets, now) }
      var bucket = buckets[client] ?? Bucket(tokens: perSecond * 2, time: now)
      bucket.tokens = filled(bucket, now)
      bucket.time = now
      let isAllowed = bucket.tokens >= 1
      if isAllowed { bucket.tokens -= 1 }
      buckets[client] = bucket
      return isAllowed
    }
  }

  private func filled(_ bucket: Bucket, _ now: NIODeadline) -> Double {
    min(perSecond * 2, bucket.tokens + Double(max(0, (now - bucket.time).nanoseconds)) / 1e9 * perSecond)
  }

  private func forgetFull(_ buckets: inout [Client: Bucket], _ now: NIODeadline) {
    buckets = buckets.filter { filled($0.value, now) < perSecond * 2 }
    // Under attack from more clients than that all begin anew: memory is bounded first.
    if buckets.count >= maxClients { buckets.removeAll() }
  }
}
