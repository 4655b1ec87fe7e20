import IdentityDomain
import Identifiers
import Postgres

/// Somebody with a verified account.
package struct KnownUser: RowDecodable, Equatable {
  package let id: UserID
  package let username: String

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> KnownUser {
    KnownUser(id: try row.next(), username: try row.next())
  }
}

/// Who sees whom, as SQL ([C-10]).
enum Visibility {
  /// Holds where neither has blocked the other. The parameters are SQL expressions for accounts' ids.
  static func sql(_ one: String, _ other: String) -> String {
    """
    not exists (
      select from blocks where (blocker_id = \(one) and blocked_id = \(other))
        or (blocker_id = \(other) and blocked_id = \(one))
    )
    """
  }
}

/// Locks the accounts of users whose relations are to change, in the order of their ids, until the transaction ends; one row for each that
/// there is. Limits that count what somebody has are thereby exact.
package struct LockUsers: Statement {
  package typealias Row = KnownUser
  package static let sql = """
    select id, username from accounts where id = any($1) and verified_at is not null order by id for no key update
    """
  let ids: [UserID]

  package init(_ ids: [UserID]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }
}

/// A verified user, whose row stays until the transaction ends.
package struct LockedUser: Statement {
  package typealias Row = KnownUser
  package static let sql = """
    select id, username from accounts where id = $1 and verified_at is not null for key share
    """
  let id: UserID

  package init(_ id: UserID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// Somebody whom a user has blocked.
package struct StoredBlock: RowDecodable {
  package let user: KnownUser
  package let blockedAt: Instant

  package init(user: KnownUser, blockedAt: Instant) {
    self.user = user
    self.blockedAt = blockedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBlock {
    StoredBlock(user: try KnownUser.decode(row), blockedAt: try row.next())
  }
}

/// Notes that a user blocks another; no row when they did before.
package struct InsertBlock: Statement {
  package typealias Row = Instant
  package static let sql = """
    insert into blocks (blocker_id, blocked_id, blocked_at) values ($1, $2, $3)
    on conflict on constraint blocks_pkey do nothing
    returning blocked_at
    """
  let blocker: UserID
  let blocked: UserID
  let now: Instant

  package init(of blocked: UserID, by blocker: UserID, now: Instant) {
    self.blocker = blocker
    self.blocked = blocked
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(blocker)
    p.append(blocked)
    p.append(now)
  }
}

/// Since when a user blocks another; no row when they do not.
package struct BlockTime: Statement {
  package typealias Row = Instant
  package static let sql = "select blocked_at from blocks where blocker_id = $1 and blocked_id = $2"
  let blocker: UserID
  let blocked: UserID

  package init(of blocked: UserID, by blocker: UserID) {
    self.blocker = blocker
    self.blocked = blocked
  }

  package func bind(_ p: inout Parameters) {
    p.append(blocker)
    p.append(blocked)
  }
}

/// How many users a user blocks.
package struct CountBlocks: Statement {
  package typealias Row = Int32
  package static let sql = "select count(*)::integer from blocks where blocker_id = $1"
  let blocker: UserID

  package init(by blocker: UserID) { self.blocker = blocker }

  package func bind(_ p: inout Parameters) { p.append(blocker) }
}

/// Takes a block back; no row where there was none.
package struct DeleteBlock: Statement {
  package typealias Row = Instant
  package static let sql = "delete from blocks where blocker_id = $1 and blocked_id = $2 returning blocked_at"
  let blocker: UserID
  let blocked: UserID

  package init(of blocked: UserID, by blocker: UserID) {
    self.blocker = blocker
    self.blocked = blocked
  }

  package func bind(_ p: inout Parameters) {
    p.append(blocker)
    p.append(blocked)
  }
}

/// Some of the users whom a user blocks, the latest first ([C-5]).
package struct BlocksBefore: Statement {
  package typealias Row = StoredBlock
  package static let sql = """
    select accounts.id, accounts.username, blocks.blocked_at
    from blocks join accounts on accounts.id = blocks.blocked_id
    where blocks.blocker_id = $1
      and ($2::timestamptz is null or (blocks.blocked_at, blocks.blocked_id) < ($2, $3::uuid))
    order by blocks.blocked_at desc, blocks.blocked_id desc limit $4
    """
  let blocker: UserID
  let before: (Instant, UserID)?
  let limit: Int64

  package init(by blocker: UserID, before: (Instant, UserID)?, limit: Int64) {
    self.blocker = blocker
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(blocker)
    p.append(before?.0)
    p.append(before?.1)
    p.append(limit)
  }
}

/// Some of all blocks, in the order of their users' ids ([C-5]).
package struct BlocksAfter: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let blocker: UserID
    package let blocked: UserID
  }

  package static let sql = """
    select blocker_id, blocked_id from blocks
    where $1::uuid is null or (blocker_id, blocked_id) > ($1, $2::uuid)
    order by blocker_id, blocked_id
    limit $3
    """
  let after: (UserID, UserID)?
  let limit: Int64

  package init(_ after: (UserID, UserID)?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after?.0)
    p.append(after?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(blocker: try row.next(), blocked: try row.next())
  }
}
