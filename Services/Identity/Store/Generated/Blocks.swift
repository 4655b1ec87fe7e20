// Made from blocks.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A user with a verified account.
package struct KnownUser: Sendable, Equatable, RowDecodable {
  package let id: UserID
  package let username: String

  package init(id: UserID, username: String) {
    self.id = id
    self.username = username
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> KnownUser {
    KnownUser(id: try row.next(), username: try row.next())
  }
}

/// A user whom another user has blocked.
package struct StoredBlock: Sendable, RowDecodable {
  package let userID: UserID
  /// When they were blocked; empty if the blocking user could not see it.
  package let username: String
  package let blockedAt: Instant

  package init(userID: UserID, username: String, blockedAt: Instant) {
    self.userID = userID
    self.username = username
    self.blockedAt = blockedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBlock {
    StoredBlock(userID: try row.next(), username: try row.next(), blockedAt: try row.next())
  }
}

/// Locks the accounts of users whose relations are to change, in the order of their ids, until the transaction ends;
/// returns one row for each that exists. This makes limits on counts per user exact.
package struct LockUsers: Statement {
  package typealias Row = KnownUser
  package static let sql = """
    select accounts.id, accounts.username from accounts where id = any($1) and verified_at is not null order by id for no key update
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try KnownUser.decode(row)
  }
}

/// Selects a verified user, whose row cannot be deleted until the transaction ends.
package struct LockedUser: SingleRowStatement {
  package typealias Row = KnownUser
  package static let sql = """
    select accounts.id, accounts.username from accounts where id = $1 and verified_at is not null for key share
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try KnownUser.decode(row)
  }
}

/// Records that a user blocks another; returns no row when they do already, or the other does not exist.
package struct InsertBlock: SingleRowStatement {
  package typealias Row = StoredBlock
  package static let sql = """
    insert into blocks (blocker_id, blocked_id, blocked_at, blocked_username)
    select
      $1, accounts.id, $2,
      case when exists (select from profiles where profiles.account_id = accounts.id) and not exists (
      select from blocks where (blocker_id = $1 and blocked_id = accounts.id)
        or (blocker_id = accounts.id and blocked_id = $1)
    )
    or exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = $1 and theirs.account_id = accounts.id
    )
    or exists (
      select from group_invitations as invitation
      where invitation.invitee_id = $1 and invitation.inviter_id = accounts.id and invitation.declined_at is null
        and not exists (
      select from blocks where (blocker_id = $1 and blocked_id = accounts.id)
        or (blocker_id = accounts.id and blocked_id = $1)
    )
    ) then accounts.username else '' end
    from accounts where accounts.id = $3
    on conflict on constraint blocks_pkey do nothing
    returning blocks.blocked_id as user_id, blocks.blocked_username as username, blocks.blocked_at
    """
  package let blockerID: UserID
  package let now: Instant
  package let blockedID: UserID

  package init(blockerID: UserID, now: Instant, blockedID: UserID) {
    self.blockerID = blockerID
    self.now = now
    self.blockedID = blockedID
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
    p.append(now)
    p.append(blockedID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBlock.decode(row)
  }
}

/// Selects a user's block of another; returns no row when there is none.
package struct BlockOf: SingleRowStatement {
  package typealias Row = StoredBlock
  package static let sql = """
    select blocks.blocked_id as user_id, blocks.blocked_username as username, blocks.blocked_at from blocks where blocker_id = $1 and blocked_id = $2
    """
  package let blockerID: UserID
  package let blockedID: UserID

  package init(blockerID: UserID, blockedID: UserID) {
    self.blockerID = blockerID
    self.blockedID = blockedID
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
    p.append(blockedID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBlock.decode(row)
  }
}

/// Counts the users whom a user blocks.
package struct CountBlocks: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    select count(*)::integer as blocked from blocks where blocker_id = $1
    """
  package let blockerID: UserID

  package init(blockerID: UserID) {
    self.blockerID = blockerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// When a user has blocked another, if since a moment; the block stays until the transaction ends.
package struct RecentBlock: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    select blocked_at from blocks
    where blocker_id = $1 and blocked_id = $2 and blocked_at >= $3
    for share
    """
  package let blockerID: UserID
  package let blockedID: UserID
  package let since: Instant

  package init(blockerID: UserID, blockedID: UserID, since: Instant) {
    self.blockerID = blockerID
    self.blockedID = blockedID
    self.since = since
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
    p.append(blockedID)
    p.append(since)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a block; returns no row when there is none.
package struct DeleteBlock: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    delete from blocks where blocker_id = $1 and blocked_id = $2 returning blocked_at
    """
  package let blockerID: UserID
  package let blockedID: UserID

  package init(blockerID: UserID, blockedID: UserID) {
    self.blockerID = blockerID
    self.blockedID = blockedID
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
    p.append(blockedID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects a page of the users whom a user blocks, the latest first ([C-5]).
package struct BlocksBefore: Statement {
  package typealias Row = StoredBlock
  package static let sql = """
    select blocks.blocked_id as user_id, blocks.blocked_username as username, blocks.blocked_at
    from blocks
    where blocks.blocker_id = $1
      and (
        $2::timestamptz is null or (blocks.blocked_at, blocks.blocked_id) < ($2, $3::uuid)
      )
    order by blocks.blocked_at desc, blocks.blocked_id desc limit $4
    """
  package let blockerID: UserID
  /// When the last user of the previous page was blocked; `nil` for the first page.
  package let beforeTime: Instant?
  /// That user.
  package let beforeID: UserID?
  package let limit: Int64

  package init(blockerID: UserID, beforeTime: Instant?, beforeID: UserID?, limit: Int64) {
    self.blockerID = blockerID
    self.beforeTime = beforeTime
    self.beforeID = beforeID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
    p.append(beforeTime)
    p.append(beforeID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBlock.decode(row)
  }
}

/// Selects a page of all blocks, in the order of the users' ids ([C-5]).
package struct BlocksAfter: Statement {
  package struct Row: Sendable {
    package let blockerID: UserID
    package let blockedID: UserID
  }

  package static let pace = Pace.slow
  package static let sql = """
    select blocker_id, blocked_id from blocks
    where $1::uuid is null or (blocker_id, blocked_id) > ($1, $2::uuid)
    order by blocker_id, blocked_id
    limit $3
    """
  /// Who blocks in the last block of the previous page; `nil` for the first page.
  package let afterBlockerID: UserID?
  /// Whom they block.
  package let afterBlockedID: UserID?
  package let limit: Int64

  package init(afterBlockerID: UserID?, afterBlockedID: UserID?, limit: Int64) {
    self.afterBlockerID = afterBlockerID
    self.afterBlockedID = afterBlockedID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(afterBlockerID)
    p.append(afterBlockedID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(blockerID: try row.next(), blockedID: try row.next())
  }
}
