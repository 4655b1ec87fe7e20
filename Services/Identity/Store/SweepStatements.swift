import IdentityDomain
import Identifiers
import Postgres

/// Removes some accounts that were never verified and have lapsed ([ID-1]); one row for each.
package struct DeleteLapsedAccounts: Statement {
  package static let sql = """
    delete from accounts where id in (
      select id from accounts where verified_at is null and registered_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  let before: Instant
  let limit: Int64

  package init(now: Instant, limit: Int) {
    before = now - Lifetimes.unverifiedAccount
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Int32 { try row.next() }
}

/// Removes some verification tokens that expired a week ago or earlier; one row for each.
///
/// Until then whoever follows an old link is told that it expired, rather than that it is none.
package struct DeleteExpiredVerifications: Statement {
  package static let sql = """
    delete from email_verifications where token_hash in (
      select token_hash from email_verifications where expires_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  let before: Instant
  let limit: Int64

  package init(now: Instant, limit: Int) {
    before = now - Lifetimes.unverifiedAccount
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Int32 { try row.next() }
}

/// Removes some sessions whose last refresh token has expired; one row for each.
package struct DeleteEndedSessions: Statement {
  package static let sql = """
    delete from sessions where id in (
      select id from sessions where expires_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  let before: Instant
  let limit: Int64

  package init(now: Instant, limit: Int) {
    before = now
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Int32 { try row.next() }
}

/// Removes some notes of verification mails whose cooldown is over; one row for each.
package struct DeleteOldVerificationRequests: Statement {
  package static let sql = """
    delete from verification_requests where email_hash in (
      select email_hash from verification_requests where requested_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  let before: Instant
  let limit: Int64

  package init(now: Instant, limit: Int) {
    before = now - Lifetimes.resendCooldown
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Int32 { try row.next() }
}
