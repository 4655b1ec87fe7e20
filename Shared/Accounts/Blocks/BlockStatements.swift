import AccountDeletions
import Events
public import Identifiers
public import Postgres

/// What a service's schema has to have for blocks, made by a migration of its own:
///
/// - a table `people` of which ids are the key `people_pkey`, with a column `departed`;
/// - a table `blocks` of which `blocker_id` and `blocked_id` are the key `blocks_pkey`.
public enum BlocksSchema {
  /// Every statement of the module but the removal, so that a test can prepare them all on a migrated schema.
  public static let statements: [any Statement.Type] = [AddBlocks.self, RemoveBlock.self, RemoveAllBlocks.self]
}

/// Keeps blocks that identity told of, except of users who left: their rows are locked, so that none is kept behind a departure ([C-9]).
public struct AddBlocks: Statement {
  /// Nothing comes back.
  public typealias Row = Void
  /// See the type.
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

  /// Keeps these.
  public init(_ blocks: [Block]) { self.blocks = blocks }

  /// Both sides.
  public func bind(_ p: inout Parameters) {
    p.append(blocks.map(\.blocker))
    p.append(blocks.map(\.blocked))
  }
}

/// Forgets a block that was taken back.
public struct RemoveBlock: Statement {
  /// Nothing comes back.
  public typealias Row = Void
  /// See the type.
  public static let sql = "delete from blocks where blocker_id = $1 and blocked_id = $2"
  private let block: Block

  /// Forgets this one.
  public init(_ block: Block) { self.block = block }

  /// Both sides.
  public func bind(_ p: inout Parameters) {
    p.append(block.blocker)
    p.append(block.blocked)
  }
}

/// Forgets all blocks, in a transaction that stores what identity says there is.
struct RemoveAllBlocks: Statement {
  typealias Row = Void
  static let sql = "delete from blocks"
}

/// Forgets whom a user kept away, and who kept them away ([C-9]).
public struct DeleteBlocksOfUser: AccountDeletionStatement {
  /// Nothing comes back.
  public typealias Row = Void
  /// See the type.
  public static let sql = "delete from blocks where blocker_id = $1 or blocked_id = $1"
  /// Both sides.
  public static let users = "select blocker_id from blocks union all select blocked_id from blocks"
  private let user: UserID

  /// Forgets this user's.
  public init(of user: UserID) { self.user = user }

  /// The user.
  public func bind(_ p: inout Parameters) { p.append(user) }
}
