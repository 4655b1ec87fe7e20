import NIOCore
import TTRPC
import TTRPCFrames

/// Counts the open connections, in all and by network, and how fast each network opens them. A state machine without
/// I/O.
struct ConnectionCount {
  private(set) var total = 0
  private var byNetwork: [ClientNetwork: Int] = [:]
  private var arrivals: [ClientNetwork: Arrivals] = [:]
  /// Networks from which a service of the suite has connected.
  private var ofServices: Set<ClientNetwork> = []

  /// The networks of a large deployment.
  private static let maxServiceNetworks = 1_024
  /// Networks whose arrivals are remembered before those that have been quiet are forgotten.
  private static let maxArrivals = 16_384
  /// A site has several networks.
  private static let networksOfSite = 4

  /// New connections of a network that it may still open at once; they come back with time.
  private struct Arrivals {
    var left: Double
    var at: NIODeadline

    mutating func admit(at now: NIODeadline, _ limits: RPCServer.Limits) -> Bool {
      left = available(at: now, limits)
      at = now
      guard left >= 1 else { return false }
      left -= 1
      return true
    }

    func available(at now: NIODeadline, _ limits: RPCServer.Limits) -> Double {
      let passed = Double((now - at).nanoseconds) / 1e9
      return min(Double(limits.connectionBurst), left + passed * Double(limits.connectionRate))
    }
  }

  /// Counts a new connection, or returns the limit that it would exceed.
  mutating func admit(
    _ network: ClientNetwork, _ limits: RPCServer.Limits, at now: NIODeadline = .now()
  ) -> ServerLimit? {
    guard arrives(from: network, limits, now) else { return .connectionRate }
    let ofNetwork = byNetwork[network, default: 0]
    let free = limits.connections - reserve(against: network, limits) - total
    guard free > 0 else { return .connections }
    guard ofNetwork < maxOfNetwork(limits, free: free) else { return .connectionsPerAddress }
    if let site = network.site {
      guard byNetwork[site, default: 0] < maxOfNetwork(limits, free: free, times: Self.networksOfSite) else {
        return .connectionsPerAddress
      }
      byNetwork[site, default: 0] += 1
    }
    total += 1
    byNetwork[network] = ofNetwork + 1
    return nil
  }

  /// The connections that are left to networks without any and to those of services, as far as this one is neither.
  private func reserve(against network: ClientNetwork, _ limits: RPCServer.Limits) -> Int {
    guard !isOfProxy(limits), byNetwork[network] != nil, !ofServices.contains(network) else { return 0 }
    return limits.reserve(of: limits.connections)
  }

  /// Whether one address may have all connections: it is a proxy's then, and they are those of many clients.
  private func isOfProxy(_ limits: RPCServer.Limits) -> Bool { limits.connectionsPerAddress >= limits.connections }

  /// Whether the network may open one more now.
  private mutating func arrives(from network: ClientNetwork, _ limits: RPCServer.Limits, _ now: NIODeadline) -> Bool {
    guard !isOfProxy(limits) else { return true }
    if arrivals.count >= Self.maxArrivals {
      arrivals = arrivals.filter { $0.value.available(at: now, limits) < Double(limits.connectionBurst) }
    }
    return arrivals[network, default: Arrivals(left: Double(limits.connectionBurst), at: now)].admit(at: now, limits)
  }

  /// A share of what is free, as of places for calls (see ``Principal``), so that there is one left for the next
  /// address; unless one address may have all.
  ///
  /// - Parameter free: what the network may use of it. The reserve is no part of that: once all but the reserve was
  ///   taken, the next address would have a single connection.
  private func maxOfNetwork(_ limits: RPCServer.Limits, free: Int, times factor: Int = 1) -> Int {
    guard !isOfProxy(limits) else { return limits.connectionsPerAddress }
    let share = free * limits.sharePercent / 100
    return min(limits.connectionsPerAddress * factor, max(1, share))
  }

  /// A connection of the network has proved to be a service's: its next ones may use the reserve.
  mutating func hasService(_ network: ClientNetwork) {
    guard ofServices.count < Self.maxServiceNetworks else { return }
    ofServices.insert(network)
  }

  /// Removes an admitted connection from the count.
  mutating func remove(_ network: ClientNetwork) {
    total -= 1
    for counted in [network, network.site].compactMap(\.self) {
      let rest = byNetwork[counted, default: 1] - 1
      byNetwork[counted] = rest > 0 ? rest : nil
    }
  }
}
