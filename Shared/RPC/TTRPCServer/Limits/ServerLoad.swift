import Logging
import Metrics
import NIOCore
import Synchronization
import TTRPC
import TTRPCFrames

/// What the clients of one server take together, and the count of their refusals. From any thread.
final class ServerLoad: Sendable {
  let limits: RPCServer.Limits
  /// Bytes of all connections in memory.
  let bytes: ByteBudget
  /// The places for calls.
  let places: CallPlaces
  /// The clients, each with its part of both.
  let principals: Principals
  /// The places of health checks that get no other.
  let healthChecks: PrincipalHold
  /// The address of the client that a service calls for, where it is a gateway and names one.
  let forwardedAddress: (@Sendable (CallContext) -> String?)?
  /// The names in certificates that have a service's share; `nil` for every name.
  let services: Set<String>?
  private let counters: [ServerLimit: Counter]
  private let connections = Meter(label: "rpc_server_connections")
  private let logger: Logger
  private let unlogged = Mutex(Unlogged())
  let refusedCalls: SampledLog<RefusedCall>
  /// Makes room when the places become scarce.
  let room = RoomMaker()

  /// Refusals that no log line has reported yet.
  private struct Unlogged {
    var counts: [ServerLimit: Int] = [:]
    var nextLine = NIODeadline.uptimeNanoseconds(0)
  }

  /// Refusals come by the thousand, so one line reports all since the last.
  private static let timeBetweenLines = TimeAmount.seconds(10)

  /// Refused calls that are logged as one kind; no text of the client's own choice belongs to it.
  struct RefusedCall: Hashable {
    let reason: ServerLimit
    let method: MethodDescriptor?
    let network: ClientNetwork
  }

  init(
    _ limits: RPCServer.Limits, forwardedAddress: (@Sendable (CallContext) -> String?)? = nil,
    services: Set<String>? = nil, logger: Logger
  ) {
    self.limits = limits
    self.forwardedAddress = forwardedAddress
    self.services = services
    self.logger = logger
    bytes = ByteBudget(limit: limits.bufferedBytes)
    refusedCalls = SampledLog { leftOut in
      var line: Logger.Metadata = ["left_out": "\(leftOut.count)"]
      if let kind = leftOut.kind {
        line["reason"] = "\(kind.reason.rawValue)"
        line["peer"] = "\(kind.network)"
        if let method = kind.method { line["rpc"] = "\(method.fullName)" }
      }
      logger.info("calls left out", metadata: line)
    }
    places = CallPlaces(limits)
    principals = Principals(places: places, bytes: bytes, limits: limits)
    // The other half is for the services.
    healthChecks = PrincipalHold(Principal(healthChecks: max(1, limits.reserve(of: limits.calls) / 2)))
    counters = Dictionary(
      uniqueKeysWithValues: ServerLimit.allCases.map {
        ($0, Counter(label: "rpc_server_refusals", dimensions: [("reason", $0.rawValue)]))
      })
  }

  func connectionBegan() { connections.increment() }

  func connectionEnded() { connections.decrement() }

  /// Counts a call, against `principal` too where its client is known, or returns why it exceeds a limit.
  @inline(__always)
  func admit(_ kind: CallPlaces.Kind, of principal: Principal?) throws(CallRefusal) {
    let isTaken = places.take(kind)
    if places.isScarce { room.make() }
    guard isTaken else { throw .busy }
    guard let principal, !principal.takePlace() else { return }
    places.leave()
    throw principal.refusal
  }

  /// Calls whose handlers have not returned.
  var callsAtWork: Int { places.count }

  /// Counts a refusal, to be logged with others.
  func refused(_ limit: ServerLimit) {
    counters[limit]?.increment()
    guard limit.isLimit else { return }
    let now = NIODeadline.now()
    let counts = unlogged.withLock { unlogged -> [ServerLimit: Int]? in
      unlogged.counts[limit, default: 0] += 1
      guard now >= unlogged.nextLine else { return nil }
      unlogged.nextLine = now + Self.timeBetweenLines
      defer { unlogged.counts = [:] }
      return unlogged.counts
    }
    guard let counts else { return }
    let reasons = counts.map { "\($0.rawValue): \($1)" }.sorted().joined(separator: ", ")
    logger.warning("limits reached", metadata: ["refusals": "\(reasons)"])
  }

  /// Counts a call that is refused, and logs a sample of those of one kind.
  ///
  /// - Parameter line: the metadata of its log line.
  func refusedCall(
    _ refusal: CallRefusal, _ method: MethodDescriptor?, from network: ClientNetwork, _ line: () -> Logger.Metadata
  ) {
    refused(refusal.reason)
    guard logger.logLevel <= .info else { return }
    refusedCalls.write(RefusedCall(reason: refusal.reason, method: method, network: network)) { leftOut in
      var line = line()
      if leftOut > 0 { line["left_out"] = "\(leftOut)" }
      logger.info("call refused", metadata: line)
    }
  }
}
