import IdentityDomain
import Identifiers
import Postgres

/// A user with a verified account.
package struct KnownUser: RowDecodable, Equatable {
  package let id: UserID
  package let username: String

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> KnownUser {
    KnownUser(id: try row.next(), username: try row.next())
  }
}

/// SQL conditions for which users see each other ([C-10]).
enum Visibility {
  /// A condition that is true if neither user has blocked the other. The parameters are SQL expressions for account
  /// ids.
  static func sql(_ one: String, _ other: String) -> String {
    """
    not exists (
      select from blocks where (blocker_id = \(one) and blocked_id = \(other))
        or (blocker_id = \(other) and blocked_id = \(one))
    )
    """
  }
}

/// Locks the accounts of users whose relations are to change, in the order of their ids, until the transaction ends;
/// returns one row for each that exists. This makes limits on counts per user exact.
package struct LockUsers: Statement {
  package typealias Row = KnownUser
  package static let sql = """
    select id, username from accounts where id = any($1) and verified_at is not null order by id for no key update
    """
  let ids: [UserID]

  package init(_ ids: [UserID]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }
}

/// Selects a verified user, whose row cannot be deleted until the transaction ends.
package struct LockedUser: Statement {
  package typealias Row = KnownUser
  package static let sql = """
    select id, username from accounts where id = $1 and verified_at is not null for key share
    """
  let id: UserID

  package init(_ id: UserID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// A user whom another user has blocked.
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

/// Records that a user blocks another; returns no row when they do already.
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

/// Selects the time since which a user blocks another; returns no row when they do not.
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

/// Counts the users whom a user blocks.
package struct CountBlocks: Statement {
  package typealias Row = Int32
  package static let sql = "select count(*)::integer from blocks where blocker_id = $1"
  let blocker: UserID

  package init(by blocker: UserID) { self.blocker = blocker }

  package func bind(_ p: inout Parameters) { p.append(blocker) }
}

/// Removes a block; returns no row when there is none.
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

/// Selects a page of the users whom a user blocks, the latest first ([C-5]).
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

/// Selects a page of all blocks, in the order of the users' ids ([C-5]).
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
