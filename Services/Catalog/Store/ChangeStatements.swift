import Identifiers
import Postgres

/// Things of one kind that people own: a person's row counts them, and the changes of them.
package protocol OwnedThings: Sendable {
  /// The column of `people` that says how many there are.
  static var count: String { get }
  /// The column of `people` that says the number of the last change.
  static var changes: String { get }
  /// The constraint that refuses more of them than a person may have.
  static var limitConstraint: String { get }
}

/// A person's books.
package enum OwnBooks: OwnedThings {
  package static let count = "books"
  package static let changes = "changes"
  package static let limitConstraint = "people_books_limit"
}

/// A person's workouts.
package enum OwnWorkouts: OwnedThings {
  package static let count = "workouts"
  package static let changes = "workout_changes"
  package static let limitConstraint = "people_workouts_limit"
}

/// What a change does to how many things a person has.
package enum CountEffect: Int32, Sendable {
  case adds = 1
  case keeps = 0
}

/// Locks the row of a person who is about to change something of their own, and gives the change its number; no row for somebody who left.
///
/// It comes before every other lock of the transaction.
package struct NextChange<Things: OwnedThings>: Statement {
  package typealias Row = Int64
  package static var sql: String {
    """
    insert into people (id, \(Things.count), \(Things.changes)) values ($1, $2, 1)
    on conflict on constraint people_pkey do update
    set \(Things.count) = people.\(Things.count) + $2, \(Things.changes) = people.\(Things.changes) + 1
    where not people.departed
    returning \(Things.changes)
    """
  }
  let person: PersonID
  let effect: CountEffect

  package init(of person: PersonID, _ effect: CountEffect) {
    self.person = person
    self.effect = effect
  }

  package func bind(_ p: inout Parameters) {
    p.append(person)
    p.append(effect.rawValue)
  }
}

/// The number of the last change of a person's things; no row for somebody who never had any.
package struct ChangesOfPerson<Things: OwnedThings>: Statement {
  package typealias Row = Int64
  package static var sql: String { "select \(Things.changes) from people where id = $1" }
  let person: PersonID

  package init(_ person: PersonID) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}
