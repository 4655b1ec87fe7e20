import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// The constraints that are violated when a username belongs to or is reserved for another user.
package enum UsernameConstraints {
  /// The index that makes names unique.
  static let unique = "accounts_username_key"
  /// The trigger that checks reservations ([ID-22]).
  static let reserved = "accounts_username_not_reserved"

  /// Whether an error means that the name is taken.
  package static func areBroken(by error: PostgresError) -> Bool {
    error.constraint == unique || error.constraint == reserved
  }
}

/// Whether a username belongs to another user, or is reserved for one ([ID-22]). Lapsed accounts and reservations do
/// not count.
package struct UsernameIsTaken: Statement {
  package typealias Row = Bool
  package static let sql = """
    select
      exists (
        select from accounts
        where lower(username) collate "C" = $1 and id <> $2 and (verified_at is not null or registered_at > $3)
      ) or exists (
        select from username_reservations where username_key = $1 and account_id <> $2 and expires_at > $4
      )
    """
  let username: Username
  let userID: UserID
  let now: Instant

  package init(_ username: Username, for userID: UserID, now: Instant) {
    self.username = username
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(username.key)
    p.append(userID)
    p.append(now - Lifetimes.unverifiedAccount)
    p.append(now)
  }
}

/// Frees a username held by a lapsed account that was never verified ([ID-1]), or by a lapsed reservation ([ID-22]).
package struct FreeLapsedUsername: Statement {
  package typealias Row = Void
  package static let sql = """
    with unreserved as (delete from username_reservations where username_key = $1 and expires_at <= $3)
    delete from accounts where id in (
      select id from accounts
      where lower(username) collate "C" = $1 and verified_at is null and registered_at <= $2
      for update
    )
    """
  let username: Username
  let now: Instant

  package init(_ username: Username, now: Instant) {
    self.username = username
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(username.key)
    p.append(now - Lifetimes.unverifiedAccount)
    p.append(now)
  }
}

/// Gives an account a new username, removes a reservation that the account had for it, and increments the profile's
/// revision.
///
/// Fails with one of the ``UsernameConstraints`` when the name is taken. Waits for concurrent transactions that take
/// it.
package struct ReplaceUsername: Statement {
  package typealias Row = Void
  package static let sql = """
    with renamed as (update accounts set username = $2 where id = $1),
      unreserved as (delete from username_reservations where username_key = $3 and account_id = $1)
    update profiles set revision = revision + 1, updated_at = $4 where account_id = $1
    """
  let userID: UserID
  let username: Username
  let now: Instant

  package init(of userID: UserID, by username: Username, now: Instant) {
    self.userID = userID
    self.username = username
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(username.spelling)
    p.append(username.key)
    p.append(now)
  }
}

/// Reserves a username that an account has just given up for its owner ([ID-22]).
package struct ReserveUsername: Statement {
  package typealias Row = Void
  package static let sql =
    "insert into username_reservations (username_key, account_id, expires_at) values ($1, $2, $3)"
  let key: String
  let userID: UserID
  let expiresAt: Instant

  /// - Parameter username: as its owner wrote it.
  package init(_ username: String, for userID: UserID, until expiresAt: Instant) {
    key = username.lowercased()
    self.userID = userID
    self.expiresAt = expiresAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(key)
    p.append(userID)
    p.append(expiresAt)
  }
}

/// Removes reservations that have lapsed.
package struct DeleteLapsedReservations: ExpiryStatement {
  package static let kept = Duration.zero
  package static let sql = """
    delete from username_reservations where username_key in (
      select username_key from username_reservations where expires_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}

/// Selects a page of all users, in the order of their ids ([C-5]).
package struct UsersAfter: Statement {
  package static let pace = Pace.slow
  package typealias Row = KnownUser
  // Each page starts at a lookup in the index, whatever plan is chosen: a separate condition for the first page would
  // read all earlier rows again.
  package static let sql = """
    select id, username from accounts
    where id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid) and verified_at is not null
    order by id limit $2
    """
  let after: UserID?
  let limit: Int64

  package init(_ after: UserID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }
}
