/// What is noted of accounts, so that somebody can explain one day what happened.
public enum SecurityEventKind: String, Sendable, Hashable, CaseIterable {
  /// [ID-5] Somebody logged in.
  case loggedIn = "LOGGED_IN"
  /// [ID-5] A password was wrong, of a login or of another method that asks for it.
  case passwordWrong = "PASSWORD_WRONG"
  /// [ID-10] Wrong passwords locked the account.
  case locked = "LOCKED"
  /// [ID-8] Somebody asked for a mail to choose a new password, and it is on its way.
  case resetRequested = "RESET_REQUESTED"
  /// [ID-8] The password was replaced by a mailed link.
  case passwordReset = "PASSWORD_RESET"
  /// [ID-9] The password was replaced by who knew the old one.
  case passwordChanged = "PASSWORD_CHANGED"
  /// [ID-22] The account got another username.
  case usernameChanged = "USERNAME_CHANGED"
  /// [ID-6] [ID-7] A session ended before its time.
  case sessionEnded = "SESSION_ENDED"
  /// [ID-11] A passkey was added.
  case passkeyAdded = "PASSKEY_ADDED"
  /// [ID-11] A passkey was removed.
  case passkeyRemoved = "PASSKEY_REMOVED"
  /// [ID-11] The counter of a passkey that signed rightly had not gone up: somebody may have a copy of it.
  case passkeyCounterRefused = "PASSKEY_COUNTER_REFUSED"
  /// [ID-12] Somebody logged in by an identity elsewhere.
  case loggedInByIdentity = "LOGGED_IN_BY_IDENTITY"
  /// [ID-12] An identity elsewhere was linked to the account.
  case identityLinked = "IDENTITY_LINKED"
  /// [ID-12] An identity elsewhere was taken off the account.
  case identityUnlinked = "IDENTITY_UNLINKED"
  /// An operator locked the account.
  case lockedByOperator = "LOCKED_BY_OPERATOR"
  /// An operator unlocked the account.
  case unlockedByOperator = "UNLOCKED_BY_OPERATOR"
  /// A new key was made that access tokens will be signed with.
  case keyMade = "KEY_MADE"
}
