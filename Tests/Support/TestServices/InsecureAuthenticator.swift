public import TTRPC

/// Believes whoever calls: a token is simply who that is. For tests that are not about tokens.
public struct InsecureAuthenticator: Authenticator {
  /// One that believes.
  public init() {}

  /// Whoever the token names.
  public func caller(provenBy token: Substring, for access: TTRPC.Access) throws(Status) -> Caller {
    Caller(subject: String(token))
  }
}
