// Made from account_deletions.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// Selects an account and locks it until the transaction ends, so that no login takes place meanwhile.
package struct LockedAccount: SingleRowStatement {
  package struct Row: Sendable {
    package let credentials: Credentials
    /// The address in the form in which addresses are compared.
    package let emailKey: String
  }

  package static let sql = """
    select id as user_id, username, password_hash, verified_at is not null as is_verified, password_revision,
    locked_at is not null as is_locked, email_key from accounts where id = $1 for update
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(credentials: try Credentials.decode(row), emailKey: try row.next())
  }
}

/// Deletes an account with all data of its owner: profile, sessions and mail by their foreign keys, stored responses
/// and, by the address's hash, the record of a requested mail ([ID-13]). Records that the user with this id has been
/// deleted ([C-9]).
package struct DeleteAccountRow: Statement {
  package typealias Row = Void
  package static let sql = """
    with gone as (delete from accounts where id = $1),
      noted as (
        insert into departures (account_id, deleted_at) values ($1, $2)
        on conflict on constraint departures_pkey do nothing
      ),
      forgotten as (delete from verification_requests where email_hash = $3)
    delete from replays where caller = $4 and method <> $5
    """
  package let userID: UserID
  package let now: Instant
  package let emailHash: [UInt8]
  /// The user's id as text, as the idempotency keys of the user's calls have it.
  package let caller: String
  /// The full name of the deleting method.
  package let method: String

  package init(userID: UserID, now: Instant, emailHash: [UInt8], caller: String, method: String) {
    self.userID = userID
    self.now = now
    self.emailHash = emailHash
    self.caller = caller
    self.method = method
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(emailHash)
    p.append(caller)
    p.append(method)
  }
}

/// Selects those of some ids whose accounts were deleted.
package struct DeletedAccounts: Statement {
  package typealias Row = UserID
  package static let sql = """
    select account_id from departures
    where account_id = any($1) and not exists (select from accounts where id = departures.account_id)
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
