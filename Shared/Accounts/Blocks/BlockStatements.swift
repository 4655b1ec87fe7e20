import AccountDeletions
import Events
public import Identifiers
public import Postgres

/// The tables that a service's schema needs for blocks, made by a migration of its own:
///
/// - a table `people` of which ids are the key `people_pkey`, with a column `departed`;
/// - a table `blocks` of which `blocker_id` and `blocked_id` are the key `blocks_pkey`.
public enum BlocksSchema {
  /// Every statement of the module but the removal, so that a test can prepare them all on a migrated schema.
  public static let statements: [any Statement.Type] = [AddBlocks.self, RemoveBlock.self, RemoveAllBlocks.self]
}

/// Stores blocks, except of users whose accounts were deleted: the users' rows are locked, so that no block is stored
/// after the deletion ([C-9]).
public struct AddBlocks: Statement {
  public typealias Row = Void
  public static let sql = """
    with told as (
      select blocker_id, blocked_id from unnest($1::uuid[], $2::uuid[]) as pair (blocker_id, blocked_id)
    ), present as (
      insert into people (id)
      select id from (select blocker_id as id from told union select blocked_id from told) as named order by id
      on conflict on constraint people_pkey do update set departed = people.departed where not people.departed
      returning id
    )
    insert into blocks (blocker_id, blocked_id)
    select blocker_id, blocked_id from told
    where blocker_id in (select id from present) and blocked_id in (select id from present)
    on conflict on constraint blocks_pkey do nothing
    """
  private let blocks: [Block]

  public init(_ blocks: [Block]) { self.blocks = blocks }

  public func bind(_ p: inout Parameters) {
    p.append(blocks.map(\.blocker))
    p.append(blocks.map(\.blocked))
  }
}

/// Removes a block that was ended.
public struct RemoveBlock: Statement {
  public typealias Row = Void
  public static let sql = "delete from blocks where blocker_id = $1 and blocked_id = $2"
  private let block: Block

  public init(_ block: Block) { self.block = block }

  public func bind(_ p: inout Parameters) {
    p.append(block.blocker)
    p.append(block.blocked)
  }
}

/// Removes all blocks, in a transaction that stores those that identity has now.
struct RemoveAllBlocks: Statement {
  typealias Row = Void
  static let sql = "delete from blocks"
}

/// Removes the blocks of a user, in both directions ([C-9]).
public struct DeleteBlocksOfUser: AccountDeletionStatement {
  public typealias Row = Void
  public static let sql = "delete from blocks where blocker_id = $1 or blocked_id = $1"
  /// The users on both sides.
  public static let users = "select blocker_id from blocks union all select blocked_id from blocks"
  private let user: UserID

  public init(of user: UserID) { self.user = user }

  public func bind(_ p: inout Parameters) { p.append(user) }
}
