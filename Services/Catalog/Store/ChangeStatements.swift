import Identifiers
import Postgres

/// A kind of things that users own; the user's row counts them and their changes.
package protocol OwnedThings: Sendable {
  /// The column of `people` with the number of things.
  static var count: String { get }
  /// The column of `people` with the number of the last change.
  static var changes: String { get }
  /// The constraint that limits how many things a user may have.
  static var limitConstraint: String { get }
}

package enum OwnBooks: OwnedThings {
  package static let count = "books"
  package static let changes = "changes"
  package static let limitConstraint = "people_books_limit"
}

package enum OwnWorkouts: OwnedThings {
  package static let count = "workouts"
  package static let changes = "workout_changes"
  package static let limitConstraint = "people_workouts_limit"
}

/// How a change affects the number of a user's things.
package enum CountEffect: Int32, Sendable {
  case adds = 1
  case keeps = 0
}

/// Locks the row of a user who is about to change something of their own, and returns the number of the change; no row for a user who has
/// deleted the account.
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

/// The number of the last change of a user's things; no row for a user who never had any.
package struct ChangesOfUser<Things: OwnedThings>: Statement {
  package typealias Row = Int64
  package static var sql: String { "select \(Things.changes) from people where id = $1" }
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
