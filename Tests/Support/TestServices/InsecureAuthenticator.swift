public import TTRPC

/// Accepts any token as the id of the caller. For tests that are not about tokens.
public struct InsecureAuthenticator: Authenticator {
  public init() {}

  /// The caller that the token names.
  public func caller(provenBy token: Substring, for access: TTRPC.Access) throws(Status) -> Caller {
    Caller(subject: String(token))
  }
}
