import Events
import Identifiers
import LendingDomain
import Postgres

/// Whether a person may write, whose row the transaction then shares a lock on: no departure is noted until it ends. No row for somebody of
/// whom nothing is known.
package struct EnteredPerson: Statement {
  package typealias Row = Bool
  package static let sql = "select not departed from people where id = $1 for share"
  let person: PersonID

  package init(_ person: PersonID) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}

/// Makes the row of a person of whom nothing is known.
package struct EnterPerson: Statement {
  package typealias Row = Void
  package static let sql = "insert into people (id) values ($1) on conflict on constraint people_pkey do nothing"
  let person: PersonID

  package init(_ person: PersonID) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}

/// Keeps a username where none is known.
package struct IntroducePerson: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into people (id, username) values ($1, $2)
    on conflict on constraint people_pkey do update set username = excluded.username
    where not people.departed and people.username = ''
    """
  let person: PersonID
  let username: String

  package init(_ person: PersonID, username: String) {
    self.person = person
    self.username = username
  }

  package func bind(_ p: inout Parameters) {
    p.append(person)
    p.append(username)
  }
}

/// Notes that a person left ([C-9]). Only the id stays, and that it is to be settled what was open.
package struct NoteDeparture: PersonRemoval {
  package typealias Row = Void
  package static let sql = """
    insert into people (id, departed, settled) values ($1, true, false)
    on conflict on constraint people_pkey do update set username = '', departed = true, settled = false
    """
  package static let people = """
    select id from people where not departed
    union all select owner_id from books
    union all select borrower_id from loans
    """
  private let person: UUID7

  package init(of person: UUID7) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}

/// Somebody who left and of whom something may be open or kept; no row when there is nobody.
package struct UnsettledPerson: Statement {
  package typealias Row = PersonID
  package static let sql = "select id from people where not settled order by id limit 1"

  package init() {}
}

/// Notes that nothing is open or kept of somebody who left.
package struct MarkSettled: Statement {
  package typealias Row = Void
  package static let sql = "update people set settled = true where id = $1"
  let person: PersonID

  package init(_ person: PersonID) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}
