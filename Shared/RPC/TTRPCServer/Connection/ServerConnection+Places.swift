import NIOCore
import TTRPC
import TTRPCFrames

/// Which client's place each of a connection's calls takes. On the event loop.
extension ServerConnection {
  /// Takes a place for a call, or throws the refusal.
  ///
  /// - Returns: whose place it is, and the address that a gateway names.
  @inline(__always)
  func takePlace(
    _ request: RequestEnvelope, _ method: AnyMethod
  ) throws(CallRefusal) -> (place: CallPlace, forwarded: PrincipalHold?) {
    let forwarded = hasServiceShare ? try forwarder(of: request, method) : nil
    let (place, kind) = place(of: method, forwarded)
    do throws(CallRefusal) {
      try load.admit(kind, of: principal(of: place))
      return (place, forwarded)
    } catch {
      guard method.checksHealth else { throw error }
      try load.admit(.service, of: load.healthChecks.principal)
      return (.of(load.healthChecks), forwarded)
    }
  }

  /// The client that a call counts against before its caller is authenticated.
  @inline(__always)
  private func place(of method: AnyMethod, _ forwarded: PrincipalHold?) -> (CallPlace, CallPlaces.Kind) {
    if !hasServiceShare { return (method.provesCaller ? .unknown : .ofConnection, .common) }
    let client = forwarded.map { CallPlace.of($0) }
    switch method.descriptor.access {
    case .service: return (.ofConnection, .service)
    case .user: return (method.provesCaller ? .unknown : client ?? .ofConnection, .common)
    case .public:
      if let client { return (client, .common) }
      return (.ofConnection, .service)
    }
  }

  /// The client on whose behalf a gateway makes the call; `nil` for a call of its own.
  private func forwarder(of request: RequestEnvelope, _ method: AnyMethod) throws(CallRefusal) -> PrincipalHold? {
    guard let forwardedAddress = load.forwardedAddress, request.metadataPairs > 0 else { return nil }
    let call = CallContext(method, from: client, metadata: request.metadata, deadline: nil)
    guard let address = forwardedAddress(call) else { return nil }
    // Counted as the gateway's own, it would have the gateway's share.
    guard let network = ClientNetwork(text: address) else { throw .forwardedAddress }
    return held(.address(network))
  }

  /// The client of that name, kept at hand: a gateway's clients call again and again.
  private func held(_ name: PrincipalName) -> PrincipalHold {
    if let lastCaller, lastCaller.principal.name == name { return lastCaller }
    if let found = callers[name] { return found }
    let found = load.principals.hold(name)
    guard hasServiceShare else {
      // Most connections have one user.
      lastCaller = found
      return found
    }
    if callers.count >= Self.maxCallers { callers.removeAll(keepingCapacity: true) }
    callers[name] = found
    return found
  }

  /// Clients of a gateway that are kept at hand.
  private static let maxCallers = 256

  /// The client that a call with an authenticated caller counts against.
  func place(of caller: Caller, calling method: MethodDescriptor) -> CallPlace {
    if method.access == .service, client.service == caller.subject { return .ofConnection }
    let name = method.access == .service ? PrincipalName.service(caller.subject) : .user(caller.subject)
    return .of(held(name))
  }

  /// The address whose share a user's calls count against too, where users of different addresses can be told apart.
  ///
  /// - Parameter forwarded: the address that a gateway names.
  func address(_ forwarded: PrincipalHold?) -> Principal? {
    if hasServiceShare { return forwarded?.principal }
    return client.network.isLoopback ? nil : ownPrincipal
  }

  /// The streams of those clients that are to end some, to make room for others.
  func streamsToEnd(
    _ streams: StreamsToEnd
  ) -> [(call: ServerCall, began: NIODeadline, client: ObjectIdentifier)] {
    self.streams.calls.compactMap { call in
      guard call.method.descriptor.kind != .unary, let client = call.payer, streams.includes(ObjectIdentifier(client))
      else { return nil }
      return (call, call.began, ObjectIdentifier(client))
    }
  }

  /// The client of a place; `nil` where it is not known yet.
  @inline(__always)
  func principal(of place: CallPlace) -> Principal? {
    switch place {
    case .unknown: nil
    case .ofConnection: ownPrincipal
    case .of(let hold): hold.principal
    }
  }
}
