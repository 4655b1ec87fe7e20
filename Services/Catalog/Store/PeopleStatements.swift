import Events
import Identifiers
import Postgres

/// Locks the row of a person who is about to say something; no row for somebody who left.
package struct EnterPerson: Statement {
  package typealias Row = PersonID
  package static let sql = """
    insert into people (id) values ($1)
    on conflict on constraint people_pkey do update set changes = people.changes
    where not people.departed
    returning id
    """
  let person: PersonID

  package init(_ person: PersonID) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}

/// Notes that a person left, so that no call that was under way writes for them afterwards ([C-9]). Only the id stays.
package struct NoteDeparture: PersonRemoval {
  package typealias Row = Void
  package static let sql = """
    insert into people (id, departed) values ($1, true)
    on conflict on constraint people_pkey do update
    set username = '', books = 0, workouts = 0, workout_logs = 0, ratings = 0, departed = true
    """
  package static let people = "select id from people where not departed"
  private let person: UUID7

  package init(of person: UUID7) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}

/// Removes what a person said ([C-9]).
package struct DeleteCommentsOfPerson: PersonRemoval {
  package typealias Row = Void
  package static let sql = "delete from comments where author_id = $1"
  package static let people = "select author_id from comments"
  private let person: UUID7

  package init(of person: UUID7) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}

/// Removes a person's books, with what others said about them ([C-9]).
package struct DeleteBooksOfPerson: PersonRemoval {
  package typealias Row = Void
  package static let sql = "delete from books where owner_id = $1"
  package static let people = "select owner_id from books"
  private let person: UUID7

  package init(of person: UUID7) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}

/// Makes nobody the borrower of what a person borrowed ([C-9]). Whether it is borrowed still, lending tells.
package struct ForgetBorrower: PersonRemoval {
  package typealias Row = Void
  package static let sql = "update books set borrower_id = null where borrower_id = $1"
  package static let people = "select borrower_id from books"
  private let person: UUID7

  package init(of person: UUID7) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}
