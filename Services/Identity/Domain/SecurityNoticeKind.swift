/// What security mail tells the owner of an account ([ID-16]). No preference switches it off.
public enum SecurityNoticeKind: String, Sendable, Hashable, CaseIterable {
  /// [ID-9] The password was changed by a user who knew the old one.
  case passwordChanged = "PASSWORD_CHANGED"
  /// [ID-8] The password was replaced by a mailed link.
  case passwordReset = "PASSWORD_RESET"
  /// [ID-8] An account without a password got one by a mailed link.
  case passwordAdded = "PASSWORD_ADDED"
  /// [ID-22] The account has another username.
  case usernameChanged = "USERNAME_CHANGED"
  /// [ID-15] A change of the address was requested, and waits for its confirmation.
  case emailChangeRequested = "EMAIL_CHANGE_REQUESTED"
  /// [ID-15] The address was changed: to the old address, with a link that undoes it.
  case emailReplaced = "EMAIL_REPLACED"
  /// [ID-15] The address was changed: to the new address.
  case emailChanged = "EMAIL_CHANGED"
  /// [ID-15] The change of the address was undone: to the address that is the account's again.
  case emailRestored = "EMAIL_RESTORED"
  /// [ID-11] A passkey was added.
  case passkeyAdded = "PASSKEY_ADDED"
  /// [ID-11] A passkey was removed.
  case passkeyRemoved = "PASSKEY_REMOVED"
  /// [ID-12] An identity at a provider was linked.
  case identityLinked = "IDENTITY_LINKED"
  /// [ID-12] An identity at a provider was unlinked.
  case identityUnlinked = "IDENTITY_UNLINKED"
  /// [ID-5] A login from a device that was not known.
  case newDevice = "NEW_DEVICE"
}
