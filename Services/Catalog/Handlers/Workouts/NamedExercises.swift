import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Identifiers
import TandemCatalog

/// An exercise that a request names, with the field that names it.
typealias NamedExercise = (field: String, id: ExerciseID)

extension Workouts {
  /// Adds the fields that name unknown exercises to a request's other bad fields, so that all are named at once ([C-2]). Without others it does
  /// nothing: the call looks its exercises up anyway.
  func addUnknown(_ named: [NamedExercise], to bad: inout Violations) async throws {
    guard !bad.isEmpty, !named.isEmpty else { return }
    bad.addUnknown(try await operations.unknownExercises(among: Set(named.map(\.id))), of: named)
  }

  /// Runs `body`, which looks the exercises of a request up.
  ///
  /// - Throws: all fields that name unknown exercises, and an unknown workout.
  func naming<Result>(_ named: [NamedExercise], _ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let unknown as UnknownExercises {
      var bad = Violations()
      bad.addUnknown(unknown.ids, of: named)
      if unknown.lacksWorkout { bad.addUnknownWorkout() }
      try bad.check()
      throw unknown
    }
  }
}

extension Violations {
  /// Adds the fields that name unknown exercises.
  fileprivate mutating func addUnknown(_ unknown: Set<ExerciseID>, of named: [NamedExercise]) {
    for (field, id) in named where unknown.contains(id) {
      add(field, "There is no such exercise", CatalogReason.exerciseUnknown)
    }
  }

  /// Adds the workout of a log.
  mutating func addUnknownWorkout() {
    add("log.workout_id", WorkoutRefusal.noSuchWorkoutText, CatalogReason.workoutNotFound)
  }

  /// Parses the id of an entry from the field of that name.
  mutating func entryID(_ text: String, _ field: String = "entry_id") -> UUID7? {
    require(field, UUID7(text), "This is not the id of an entry", CatalogReason.entryIDInvalid)
  }
}
