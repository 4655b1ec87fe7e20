public import Cryptography
public import TTRPC

extension TokenRefusal: StatusConvertible {
  /// The status for the caller ([C-1]).
  public var status: Status {
    switch self {
    case .invalid:
      Status(.unauthenticated, reason: "TOKEN_INVALID", "The access token is not one of this service's")
    case .expired: Status(.unauthenticated, reason: "TOKEN_EXPIRED", "The access token has expired")
    case .revoked: Status(.unauthenticated, reason: "TOKEN_REVOKED", "The access token's session has ended")
    }
  }
}
