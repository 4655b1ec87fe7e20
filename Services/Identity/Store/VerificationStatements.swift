import Expiry
import IdentityDomain
import Identifiers
import Postgres

extension InsertVerification {
  package init(tokenHash: [UInt8], userID: UserID, now: Instant) {
    self.init(userID: userID, tokenHash: tokenHash, now: now, expiresAt: now + Lifetimes.verificationToken)
  }
}

extension DeleteLapsedAccounts: ExpiryStatement {
  package static let kept = Lifetimes.unverifiedAccount
}

extension DeleteExpiredVerifications: ExpiryStatement {
  package static let kept = Lifetimes.unverifiedAccount
}

extension DeleteOldVerificationRequests: ExpiryStatement {
  package static let kept = Lifetimes.resendCooldown
}
