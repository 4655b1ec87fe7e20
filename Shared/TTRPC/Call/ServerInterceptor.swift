/// Something that looks at every call as it begins and as it ends.
///
/// Both run on the call's event loop and must not block: what they need to know, they hold in memory.
public protocol ServerInterceptor: Sendable {
  /// Runs before the handler, in the order of registration. Throwing refuses the call, and no later interceptor sees it begin.
  func callBegins(_ call: inout CallContext) throws(Status)

  /// Runs once after every call, refused ones included, when its answer has been handed to the connection.
  func callEnds(_ call: CallContext, _ outcome: CallOutcome)
}

extension ServerInterceptor {
  /// Lets every call in.
  public func callBegins(_ call: inout CallContext) throws(Status) {}
  /// Does nothing.
  public func callEnds(_ call: CallContext, _ outcome: CallOutcome) {}
}

/// How a call went.
public struct CallOutcome: Sendable {
  /// `nil` when the call succeeded.
  public let failure: Status?
  /// What the handler threw, when that was not a status: for the log only, never for the caller.
  public let cause: (any Error)?
  /// From the request's arrival to its answer.
  public let duration: Duration

  /// The code that was answered.
  public var code: Code { failure?.code ?? .ok }
}

/// Decides who a call comes from.
public protocol Authenticator: Sendable {
  /// The caller that `token`, the `authorization` metadata without its `Bearer ` prefix, proves.
  ///
  /// Runs on an event loop: it must answer from memory.
  ///
  /// - Throws: UNAUTHENTICATED with the reason `TOKEN_EXPIRED`, `TOKEN_REVOKED` or `TOKEN_INVALID`.
  func caller(provenBy token: Substring, for access: Access) throws(Status) -> Caller
}

/// Lets a call in only with the token that its method's declared access asks for ([C-1]).
public struct Authentication: ServerInterceptor {
  private let authenticator: any Authenticator

  /// Believes what `authenticator` says of a token.
  public init(_ authenticator: any Authenticator) {
    self.authenticator = authenticator
  }

  /// Refuses a call without the proof that its method asks for, and names the caller in `call`.
  public func callBegins(_ call: inout CallContext) throws(Status) {
    guard call.method.access != .public else { return }
    guard let token = call.metadata.bearerToken else {
      throw Status(
        .unauthenticated, reason: "TOKEN_MISSING",
        "This method needs an access token: send it as the metadata authorization: Bearer TOKEN")
    }
    call.caller = try authenticator.caller(provenBy: token, for: call.method.access)
  }
}
