// Made from usernames.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// Whether a username belongs to another user, or is reserved for one ([ID-22]). Unverified accounts and lapsed
/// reservations do not count ([ID-17]).
package struct UsernameIsTaken: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select
      exists (
        select from accounts
        where lower(username) collate "C" = $1 and id <> $2 and verified_at is not null
      ) or exists (
        select from username_reservations
        where username_key = $1 and account_id <> $2 and expires_at > $3
      ) as is_taken
    """
  package let usernameKey: String
  package let userID: UserID
  package let now: Instant

  package init(usernameKey: String, userID: UserID, now: Instant) {
    self.usernameKey = usernameKey
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(usernameKey)
    p.append(userID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a lapsed reservation of a username ([ID-22]).
package struct FreeLapsedUsername: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from username_reservations where username_key = $1 and expires_at <= $2
    """
  package let usernameKey: String
  package let now: Instant

  package init(usernameKey: String, now: Instant) {
    self.usernameKey = usernameKey
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(usernameKey)
    p.append(now)
  }
}

/// Gives an account a new username, removes a reservation that the account had for it, and increments the profile's
/// revision.
///
/// Fails with one of the ``UsernameConstraints`` when the name is taken. Waits for concurrent transactions that take it.
package struct ReplaceUsername: Statement {
  package typealias Row = Void
  package static let sql = """
    with renamed as (update accounts set username = $1 where id = $2),
      unreserved as (delete from username_reservations where username_key = $3 and account_id = $2)
    update profiles set revision = revision + 1, updated_at = $4 where account_id = $2
    """
  package let username: String
  package let userID: UserID
  package let usernameKey: String
  package let now: Instant

  package init(username: String, userID: UserID, usernameKey: String, now: Instant) {
    self.username = username
    self.userID = userID
    self.usernameKey = usernameKey
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(username)
    p.append(userID)
    p.append(usernameKey)
    p.append(now)
  }
}

/// Reserves a username that an account has just given up for its owner ([ID-22]).
package struct ReserveUsername: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into username_reservations (username_key, account_id, expires_at)
    values ($1, $2, $3)
    """
  /// In lower case.
  package let usernameKey: String
  package let userID: UserID
  package let expiresAt: Instant

  package init(usernameKey: String, userID: UserID, expiresAt: Instant) {
    self.usernameKey = usernameKey
    self.userID = userID
    self.expiresAt = expiresAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(usernameKey)
    p.append(userID)
    p.append(expiresAt)
  }
}

/// Removes reservations that have lapsed.
package struct DeleteLapsedReservations: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from username_reservations where username_key in (
      select username_key from username_reservations where expires_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of all users, in the order of their ids ([C-5]).
package struct UsersAfter: Statement {
  package typealias Row = KnownUser
  package static let pace = Pace.slow
  package static let sql = """
    select accounts.id, accounts.username from accounts
    where id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid) and verified_at is not null
    order by id limit $2
    """
  package let after: UserID?
  package let limit: Int64

  package init(after: UserID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try KnownUser.decode(row)
  }
}
