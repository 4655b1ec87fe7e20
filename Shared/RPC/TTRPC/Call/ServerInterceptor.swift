/// Observes every call as it begins and as it ends.
///
/// Both methods run on the call's event loop and must not block: they need everything in memory.
public protocol ServerInterceptor: Sendable {
  /// Runs before the handler, in the order of registration. Throwing refuses the call, and no later interceptor sees it begin.
  func callBegins(_ call: inout CallContext) throws(Status)

  /// Runs once after every call, refused ones included, when its response was handed to the connection.
  func callEnds(_ call: CallContext, _ outcome: CallOutcome)

  /// Runs when the server has stopped and every call has ended; not on an event loop.
  func serverStopped()
}

extension ServerInterceptor {
  /// Admits every call.
  public func callBegins(_ call: inout CallContext) throws(Status) {}
  /// Does nothing.
  public func callEnds(_ call: CallContext, _ outcome: CallOutcome) {}
  /// Does nothing.
  public func serverStopped() {}
}

/// The result of a call.
public struct CallOutcome: Sendable {
  /// `nil` when the call succeeded.
  public let failure: Status?
  /// The error that the handler threw, when that was not a status: for the log only, never for the caller.
  public let cause: (any Error)?
  /// From the arrival of the request to the response.
  public let duration: Duration

  /// Messages and bytes received for the call.
  public let received: Traffic
  /// Messages and bytes sent for the call.
  public let sent: Traffic

  @inlinable
  package init(failure: Status?, cause: (any Error)?, duration: Duration, received: Traffic, sent: Traffic) {
    self.failure = failure
    self.cause = cause
    self.duration = duration
    self.received = received
    self.sent = sent
  }

  /// The code that was sent.
  public var code: Code { failure?.code ?? .ok }
}

/// Messages and bytes of one call in one direction.
public struct Traffic: Sendable, Equatable {
  /// The call's messages.
  public package(set) var messages = 0
  /// The frames that carried them, headers included.
  public package(set) var bytes = 0

  package init() {}
}

/// Determines the caller of a call.
public protocol Authenticator: Sendable {
  /// The caller that `token` authenticates, the `authorization` metadata without its `Bearer ` prefix.
  ///
  /// Runs on an event loop: it must answer from memory.
  ///
  /// - Throws: UNAUTHENTICATED with the reason `TOKEN_EXPIRED`, `TOKEN_REVOKED` or `TOKEN_INVALID`.
  func caller(provenBy token: Substring, for access: Access) throws(Status) -> Caller
}

/// Admits a call only with the authentication that its method's declared access requires ([C-1]).
///
/// A user authenticates by an access token, a service by the certificate of its connection or by a service's token. A
/// service is admitted where the method names it among its callers.
public struct Authentication: ServerInterceptor {
  private let authenticator: (any Authenticator)?
  private let server: String

  /// - Parameters:
  ///   - authenticator: decides about tokens; with `nil` no token is accepted.
  ///   - server: the service that answers, on which the allowed callers may depend.
  public init(_ authenticator: (any Authenticator)?, at server: String) {
    self.authenticator = authenticator
    self.server = server
  }

  /// Refuses a call without the authentication that its method requires, and sets the caller of `call`.
  public func callBegins(_ call: inout CallContext) throws(Status) {
    switch call.method.access {
    case .public: break
    case .user:
      guard let authenticator, let token = call.metadata.bearerToken else { throw .tokenMissing }
      call.caller = try authenticator.caller(provenBy: token, for: .user)
    case .service:
      let caller = try service(of: call)
      guard call.method.callers.include(caller.subject, at: server) else { throw .callerNotAllowed(caller.subject) }
      call.caller = caller
    }
  }

  /// The service that calls. A token cannot override the name in a certificate.
  private func service(of call: CallContext) throws(Status) -> Caller {
    if let service = call.peerService { return Caller(subject: service) }
    guard let authenticator, let token = call.metadata.bearerToken else { throw .notAService }
    return try authenticator.caller(provenBy: token, for: .service)
  }
}

extension Status {
  fileprivate static let tokenMissing = Status(
    .unauthenticated, reason: "TOKEN_MISSING",
    """
    This method needs an access token: send it as the metadata authorization: Bearer TOKEN, or as access_token in the first \
    message where it streams
    """)

  fileprivate static let notAService = Status(
    .unauthenticated, reason: "SERVICE_IDENTITY_MISSING",
    "Only services of the suite may call this method: connect with a service's certificate, or send a service's token")

  fileprivate static func callerNotAllowed(_ caller: String) -> Status {
    Status(
      .permissionDenied, reason: "CALLER_NOT_ALLOWED",
      "\(caller) is not among those who may call this method: the method's description names them")
  }
}
