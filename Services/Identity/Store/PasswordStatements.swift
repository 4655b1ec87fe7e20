import Expiry
import IdentityDomain
import Identifiers
import Postgres

extension HoldPassword {
  package init(_ checked: Credentials) {
    self.init(userID: checked.userID, passwordRevision: checked.passwordRevision)
  }
}

extension LockPassword {
  package init(_ checked: Credentials) {
    self.init(userID: checked.userID, passwordRevision: checked.passwordRevision)
  }
}

extension ReplacePassword {
  package init(_ checked: Credentials, passwordHash: String) {
    self.init(passwordHash: passwordHash, userID: checked.userID, passwordRevision: checked.passwordRevision)
  }
}

extension AccountByEmail {
  package init(email: EmailAddress, now: Instant) {
    self.init(emailKey: email.key, registeredAfter: now - Lifetimes.unverifiedAccount)
  }
}

extension InsertReset {
  package init(tokenHash: [UInt8], userID: UserID, email: String, now: Instant) {
    self.init(tokenHash: tokenHash, now: now, expiresAt: now + Lifetimes.resetToken, userID: userID, email: email)
  }
}

extension DeleteExpiredResets: ExpiryStatement {
  package static let kept = Lifetimes.unverifiedAccount
}
