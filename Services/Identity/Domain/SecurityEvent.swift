/// A kind of security event, recorded for later investigation of an account.
public enum SecurityEventKind: String, Sendable, Hashable, CaseIterable {
  /// [ID-5] A login.
  case loggedIn = "LOGGED_IN"
  /// [ID-5] A wrong password, at login or at another method that requires it.
  case passwordWrong = "PASSWORD_WRONG"
  /// [ID-10] Wrong passwords locked the account.
  case locked = "LOCKED"
  /// [ID-8] A reset mail was requested and is being sent.
  case resetRequested = "RESET_REQUESTED"
  /// [ID-8] The password was replaced by a mailed link.
  case passwordReset = "PASSWORD_RESET"
  /// [ID-9] The password was replaced by a user who knew the old one.
  case passwordChanged = "PASSWORD_CHANGED"
  /// [ID-22] The account got a new username.
  case usernameChanged = "USERNAME_CHANGED"
  /// [ID-15] A change of the e-mail address was requested.
  case emailChangeRequested = "EMAIL_CHANGE_REQUESTED"
  /// [ID-15] The account got another e-mail address.
  case emailChanged = "EMAIL_CHANGED"
  /// [ID-15] The account got an earlier e-mail address again, by the link mailed to it.
  case emailChangeUndone = "EMAIL_CHANGE_UNDONE"
  /// [ID-6] [ID-7] A session was ended before it expired.
  case sessionEnded = "SESSION_ENDED"
  /// [ID-11] A passkey was added.
  case passkeyAdded = "PASSKEY_ADDED"
  /// [ID-11] A passkey was removed.
  case passkeyRemoved = "PASSKEY_REMOVED"
  /// [ID-11] The counter of a passkey with a valid signature did not increase: a copy of the passkey may exist.
  case passkeyCounterRefused = "PASSKEY_COUNTER_REFUSED"
  /// [ID-12] A login by a linked identity.
  case loggedInByIdentity = "LOGGED_IN_BY_IDENTITY"
  /// [ID-12] An identity was linked to the account.
  case identityLinked = "IDENTITY_LINKED"
  /// [ID-12] An identity was unlinked from the account.
  case identityUnlinked = "IDENTITY_UNLINKED"
  /// An operator locked the account.
  case lockedByOperator = "LOCKED_BY_OPERATOR"
  /// An operator unlocked the account.
  case unlockedByOperator = "UNLOCKED_BY_OPERATOR"
  /// A new signing key for access tokens was created.
  case keyMade = "KEY_MADE"
}
