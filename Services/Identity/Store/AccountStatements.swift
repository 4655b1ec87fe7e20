import IdentityDomain
import Identifiers

extension FreeLapsedNames {
  package init(email: EmailAddress, username: Username, now: Instant) {
    self.init(
      usernameKey: username.key, now: now, emailKey: email.key, registeredBefore: now - Lifetimes.unverifiedAccount)
  }

  /// For a user who has proved that the address is theirs: no account that was never verified keeps it from them
  /// ([ID-17]).
  package init(provedEmail email: EmailAddress, username: Username, now: Instant) {
    self.init(
      // Later than now, as another replica's clock may be ahead.
      usernameKey: username.key, now: now, emailKey: email.key, registeredBefore: now + Lifetimes.unverifiedAccount)
  }
}

extension InsertAccount {
  package init(
    userID: UserID, email: EmailAddress, username: Username, passwordHash: String, registrationSecretHash: [UInt8],
    now: Instant
  ) {
    self.init(
      userID: userID, email: email.spelling, emailKey: email.key, username: username.spelling,
      passwordHash: passwordHash, now: now, registrationSecretHash: registrationSecretHash)
  }
}

extension InsertFederatedAccount {
  /// - Parameter registrationSecretHash: for an address that is not verified yet; `nil` for one that is.
  package init(
    userID: UserID, email: EmailAddress, username: Username, registrationSecretHash: [UInt8]?, now: Instant
  ) {
    self.init(
      userID: userID, email: email.spelling, emailKey: email.key, username: username.spelling, now: now,
      verifiedAt: registrationSecretHash == nil ? now : nil, registrationSecretHash: registrationSecretHash)
  }
}

extension TakenNames {
  package init(email: EmailAddress, username: Username, now: Instant) {
    self.init(
      emailKey: email.key, registeredAfter: now - Lifetimes.unverifiedAccount, now: now, usernameKey: username.key)
  }
}

extension CredentialsByEmail {
  package init(email: EmailAddress, now: Instant) {
    self.init(emailKey: email.key, registeredAfter: now - Lifetimes.unverifiedAccount)
  }
}

extension CredentialsByUsername {
  package init(username: Username, now: Instant) {
    self.init(usernameKey: username.key, registeredAfter: now - Lifetimes.unverifiedAccount)
  }
}

extension UnverifiedAccount {
  package init(email: EmailAddress, now: Instant) {
    self.init(emailKey: email.key, registeredAfter: now - Lifetimes.unverifiedAccount)
  }
}
