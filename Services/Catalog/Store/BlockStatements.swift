import Events
import Identifiers
import Postgres

/// Who sees whom, as SQL ([C-10]).
enum Visibility {
  /// Holds where neither of the two has blocked the other.
  ///
  /// - Parameters:
  ///   - one: an expression for the id of whoever is looked at, which may differ from row to row.
  ///   - viewer: a parameter: whom `viewer` does not see is looked up once for the whole statement.
  static func sql(_ one: String, _ viewer: String) -> String {
    """
    \(one) <> all(array(
      select blocked_id from blocks where blocker_id = \(viewer)
      union all
      select blocker_id from blocks where blocked_id = \(viewer)
    ))
    """
  }
}

/// Somebody keeps somebody away.
package struct Block: Sendable, Hashable {
  package let blocker: PersonID
  package let blocked: PersonID

  package init(of blocked: PersonID, by blocker: PersonID) {
    self.blocker = blocker
    self.blocked = blocked
  }
}

/// Keeps blocks that identity told of, except of people who left: their rows are locked, so that none is kept behind a departure ([C-9]).
package struct AddBlocks: Statement {
  package typealias Row = Void
  package static let sql = """
    with told as (
      select blocker_id, blocked_id from unnest($1::uuid[], $2::uuid[]) as pair (blocker_id, blocked_id)
    ), present as (
      insert into people (id)
      select id from (select blocker_id as id from told union select blocked_id from told) as named order by id
      on conflict on constraint people_pkey do update set changes = people.changes where not people.departed
      returning id
    )
    insert into blocks (blocker_id, blocked_id)
    select blocker_id, blocked_id from told
    where blocker_id in (select id from present) and blocked_id in (select id from present)
    on conflict on constraint blocks_pkey do nothing
    """
  let blocks: [Block]

  package init(_ blocks: [Block]) { self.blocks = blocks }

  package func bind(_ p: inout Parameters) {
    p.append(blocks.map(\.blocker))
    p.append(blocks.map(\.blocked))
  }
}

/// Forgets a block that was taken back.
package struct RemoveBlock: Statement {
  package typealias Row = Void
  package static let sql = "delete from blocks where blocker_id = $1 and blocked_id = $2"
  let block: Block

  package init(_ block: Block) { self.block = block }

  package func bind(_ p: inout Parameters) {
    p.append(block.blocker)
    p.append(block.blocked)
  }
}

/// Forgets all blocks, in a transaction that stores what identity says there is.
package struct RemoveAllBlocks: Statement {
  package typealias Row = Void
  package static let sql = "delete from blocks"

  package init() {}
}

/// Forgets whom a person kept away, and who kept them away ([C-9]).
package struct DeleteBlocksOfPerson: PersonRemoval {
  package typealias Row = Void
  package static let sql = "delete from blocks where blocker_id = $1 or blocked_id = $1"
  package static let people = "select blocker_id from blocks union all select blocked_id from blocks"
  private let person: UUID7

  package init(of person: UUID7) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}
