import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

/// A user's progress in an exercise ([CA-14]).
package struct ExerciseProgress: Sendable {
  package let exercise: StoredExercise
  /// A page of the occasions, the latest first.
  package let occasions: [OccasionsBefore.Row]
  package let totals: ExerciseTotals.Row?
  /// The best set of all; `nil` without sets.
  package let best: (set: PerformedSet, estimate: Double?)?
}

extension WorkoutOperations {
  /// A page of a user's progress in an exercise ([CA-14]).
  ///
  /// - Parameters:
  ///   - formula: estimates the one-repetition maximum.
  ///   - position: the start and the id of the last log of the previous page.
  package func getExerciseProgress(
    in id: ExerciseID, of owner: UserID, by formula: MaximumFormula, after position: (Instant, WorkoutLogID)?,
    limit: Int64
  ) async throws -> ExerciseProgress {
    guard let exercise = try await database.first(ExerciseByID(exerciseID: id)) else {
      throw WorkoutRefusal.noSuchExercise
    }
    let occasions = try await database.rows(
      OccasionsBefore(
        ownerID: owner, exerciseID: exercise.id, beforeStartedAt: position?.0, beforeID: position?.1, limit: limit))
    let totals = try await database.first(ExerciseTotals(ownerID: owner, exerciseID: exercise.id))
    let best = formula.best(of: try await database.rows(HeaviestSets(ownerID: owner, exerciseID: exercise.id)))
    return ExerciseProgress(exercise: exercise, occasions: occasions, totals: totals, best: best)
  }
}
