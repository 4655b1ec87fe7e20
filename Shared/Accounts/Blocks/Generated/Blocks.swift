// Made from blocks.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Stores blocks, the first blocker's of the first blocked user and so on, except of users whose accounts were deleted: the users' rows are
/// locked, so that no block is stored after the deletion ([C-9]).
public struct AddBlocks: Statement {
  public typealias Row = Void
  public static let sql = """
    with reported as (
      select blocker_id, blocked_id from unnest($1::uuid[], $2::uuid[]) as pair (blocker_id, blocked_id)
    ), present as (
      insert into users (id)
      select id from (select blocker_id as id from reported union select blocked_id from reported) as named order by id
      on conflict on constraint users_pkey do update set deleted = users.deleted where not users.deleted
      returning id
    )
    insert into blocks (blocker_id, blocked_id)
    select blocker_id, blocked_id from reported
    where blocker_id in (select id from present) and blocked_id in (select id from present)
    on conflict on constraint blocks_pkey do nothing
    """
  public let blockerIDs: [UserID]
  public let blockedIDs: [UserID]

  public init(blockerIDs: [UserID], blockedIDs: [UserID]) {
    self.blockerIDs = blockerIDs
    self.blockedIDs = blockedIDs
  }

  public func bind(_ p: inout Parameters) {
    p.append(blockerIDs)
    p.append(blockedIDs)
  }
}

/// Removes blocks that were ended, the first blocker's of the first blocked user and so on.
public struct RemoveBlocks: Statement {
  public typealias Row = Void
  public static let sql = """
    delete from blocks using unnest($1::uuid[], $2::uuid[]) as pair (blocker_id, blocked_id)
    where blocks.blocker_id = pair.blocker_id and blocks.blocked_id = pair.blocked_id
    """
  public let blockerIDs: [UserID]
  public let blockedIDs: [UserID]

  public init(blockerIDs: [UserID], blockedIDs: [UserID]) {
    self.blockerIDs = blockerIDs
    self.blockedIDs = blockedIDs
  }

  public func bind(_ p: inout Parameters) {
    p.append(blockerIDs)
    p.append(blockedIDs)
  }
}

/// Removes all blocks, in a transaction that stores those that identity has now.
struct RemoveAllBlocks: Statement {
  typealias Row = Void
  static let sql = """
    delete from blocks
    """

  init() {}
}

/// Removes the blocks of a user, in both directions ([C-9]).
public struct DeleteBlocksOfUser: Statement {
  public typealias Row = Void
  public static let sql = """
    delete from blocks where blocker_id = $1 or blocked_id = $1
    """
  public let userID: UserID

  public init(userID: UserID) {
    self.userID = userID
  }

  public func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
