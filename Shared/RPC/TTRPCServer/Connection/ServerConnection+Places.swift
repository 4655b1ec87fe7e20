import TTRPC
import TTRPCFrames

/// Which client's place each of a connection's calls takes. On the event loop.
extension ServerConnection {
  /// Takes a place for a call, or throws the refusal.
  ///
  /// - Returns: whose place it is.
  @inline(__always)
  func takePlace(_ request: RequestEnvelope, _ method: AnyMethod) throws(CallRefusal) -> CallPlace {
    let (place, kind) = place(of: request, method)
    do throws(CallRefusal) {
      try load.admit(kind, of: principal(of: place))
      return place
    } catch {
      guard method.checksHealth else { throw error }
      try load.admit(.service, of: load.healthChecks.principal)
      return .of(load.healthChecks)
    }
  }

  /// The client that a call counts against before its caller is authenticated.
  @inline(__always)
  private func place(of request: RequestEnvelope, _ method: AnyMethod) -> (CallPlace, CallPlaces.Kind) {
    if !hasServiceShare { return (method.provesCaller ? .unknown : .ofConnection, .common) }
    switch method.descriptor.access {
    case .service: return (.ofConnection, .service)
    case .user: return (method.provesCaller ? .unknown : forwarder(of: request, method) ?? .ofConnection, .common)
    case .public:
      if let other = forwarder(of: request, method) { return (other, .common) }
      return (.ofConnection, .service)
    }
  }

  /// The client on whose behalf a gateway makes the call.
  private func forwarder(of request: RequestEnvelope, _ method: AnyMethod) -> CallPlace? {
    guard let forwardedAddress = load.forwardedAddress, request.metadataPairs > 0 else { return nil }
    let call = CallContext(method, from: client, metadata: request.metadata, deadline: nil)
    return forwardedAddress(call).flatMap(ClientNetwork.init(text:)).map { .of(load.principals.hold(.address($0))) }
  }

  /// The client that a call with an authenticated caller counts against.
  func place(of caller: Caller, calling method: MethodDescriptor) -> CallPlace {
    if method.access == .service, client.service == caller.subject { return .ofConnection }
    let name = method.access == .service ? PrincipalName.service(caller.subject) : .user(caller.subject)
    // Most connections have one user.
    if let lastCaller, lastCaller.principal.name == name { return .of(lastCaller) }
    let found = load.principals.hold(name)
    lastCaller = found
    return .of(found)
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
