public import Identifiers
public import TTRPC

extension CallContext {
  /// The caller of a method whose access is `user`.
  ///
  /// - Throws: ``TTRPC/Status/notAUser``.
  public var userID: UserID {
    get throws(Status) {
      guard let caller, let id = UserID(caller.subject) else { throw .notAUser }
      return id
    }
  }
}

extension Status {
  /// The user deleted the account a moment ago, or the token does not belong to a user.
  public static let notAUser = Status(
    .unauthenticated, reason: "TOKEN_INVALID", "The access token is not that of a user who has an account")
}
