import Identifiers
import Postgres

/// Locks the row of a user who is about to change something of their own, and returns the number of the change.
package protocol ChangeStatement: SingleRowStatement where Row == Int64 {
  /// The constraint that limits how many of these things a user may have.
  static var limitConstraint: String { get }
}

extension NextBookChange: ChangeStatement {
  package static let limitConstraint = "users_books_limit"
}

extension NextWorkoutChange: ChangeStatement {
  package static let limitConstraint = "users_workouts_limit"
}

/// How a change affects the number of a user's things.
package enum CountEffect: Int32, Sendable {
  case adds = 1
  case keeps = 0
}
