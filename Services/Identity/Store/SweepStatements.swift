import Expiry
import IdentityDomain
import Postgres

/// Removes accounts that were never verified and have lapsed ([ID-1]).
package struct DeleteLapsedAccounts: ExpiryStatement {
  package static let kept = Lifetimes.unverifiedAccount
  package static let sql = """
    delete from accounts where id in (
      select id from accounts where verified_at is null and registered_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}

/// Removes verification tokens that expired a week ago or earlier.
///
/// Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
package struct DeleteExpiredVerifications: ExpiryStatement {
  package static let kept = Lifetimes.unverifiedAccount
  package static let sql = """
    delete from email_verifications where token_hash in (
      select token_hash from email_verifications where expires_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}

/// Removes sessions whose last refresh token has expired.
package struct DeleteEndedSessions: ExpiryStatement {
  package static let kept = Duration.zero
  package static let sql = """
    delete from sessions where id in (
      select id from sessions where expires_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}

/// Removes records of requested verification mails whose cooldown is over.
package struct DeleteOldVerificationRequests: ExpiryStatement {
  package static let kept = Lifetimes.resendCooldown
  package static let sql = """
    delete from verification_requests where email_hash in (
      select email_hash from verification_requests where requested_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
