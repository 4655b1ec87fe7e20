import Identifiers
import Postgres

/// Things of one kind that users own: a user's row counts them, and the changes of them.
package protocol OwnedThings: Sendable {
  /// The column of `people` that says how many there are.
  static var count: String { get }
  /// The column of `people` that says the number of the last change.
  static var changes: String { get }
  /// The constraint that refuses more of them than a user may have.
  static var limitConstraint: String { get }
}

/// A user's books.
package enum OwnBooks: OwnedThings {
  package static let count = "books"
  package static let changes = "changes"
  package static let limitConstraint = "people_books_limit"
}

/// A user's workouts.
package enum OwnWorkouts: OwnedThings {
  package static let count = "workouts"
  package static let changes = "workout_changes"
  package static let limitConstraint = "people_workouts_limit"
}

/// What a change does to how many things a user has.
package enum CountEffect: Int32, Sendable {
  case adds = 1
  case keeps = 0
}

/// Locks the row of a user who is about to change something of their own, and gives the change its number; no row for somebody who left.
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
  let user: UserID
  let effect: CountEffect

  package init(of user: UserID, _ effect: CountEffect) {
    self.user = user
    self.effect = effect
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(effect.rawValue)
  }
}

/// The number of the last change of a user's things; no row for somebody who never had any.
package struct ChangesOfUser<Things: OwnedThings>: Statement {
  package typealias Row = Int64
  package static var sql: String { "select \(Things.changes) from people where id = $1" }
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
