import AccountDeletions
import Blocks
import Expiry
import Idempotency
import Identifiers
import Pictures

/// A copy of a book that a user owns.
package enum OwnedBook {}
package typealias BookID = Identifier<OwnedBook>
/// A comment on a book.
package enum BookComment {}
package typealias CommentID = Identifier<BookComment>

/// An exercise, merged from all collections that have it.
package enum CatalogExercise {}
package typealias ExerciseID = Identifier<CatalogExercise>
/// A workout, curated or a user's own.
package enum AnyWorkout {}
package typealias WorkoutID = Identifier<AnyWorkout>
/// A log of a workout that a user performed.
package enum TrainedWorkout {}
package typealias WorkoutLogID = Identifier<TrainedWorkout>
/// A link that shares a workout.
package enum WorkoutLink {}
package typealias WorkoutShareID = Identifier<WorkoutLink>
/// A link that shares a book.
package enum BookLink {}
package typealias BookShareID = Identifier<BookLink>

/// The schema of the catalog, and its statements.
package enum CatalogSchema {
  package static let name = "catalog"

  /// What is removed or anonymised when an account is deleted ([C-9]): every table with users' data adds its statement here. The user's own
  /// row comes first, as in every other transaction.
  package static let removals: [any AccountDeletionStatement.Type] = [
    MarkAccountDeleted.self, BeginErasure.self, ForgetBorrower.self, DeletePresenceOfUser.self,
    DeleteIdempotencyKeysOfUser.self, DeleteBlocksOfUser.self, DeleteQuotaOfUser.self,
  ]

  /// What is removed once it has expired: every table whose rows expire adds its statement here.
  package static let expiries: [any ExpiryStatement.Type] = [
    DeleteOldPresences.self, DeleteExpiredIdempotencyKeys.self, DeleteOldQuotas.self,
  ]
}
