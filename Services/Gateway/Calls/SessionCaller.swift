import TTRPC

/// In whose name a request is that has no token of its own, but the cookie of a session.
public enum SessionCaller: Sendable {
  /// By an access token.
  case known(String)
  /// By an access token that has to be got first.
  case renewed(@Sendable () async -> RenewedCaller)
  /// The cookie does not count.
  case refused(Status)
}

/// The token that was got, or why there is none, and the cookie that the answer sets in either case.
public struct RenewedCaller: Sendable {
  let token: Result<String, Status>
  let setCookie: String?

  public init(_ token: Result<String, Status>, setCookie: String?) {
    (self.token, self.setCookie) = (token, setCookie)
  }
}
