import CatalogDomain

/// A kind of file that exercises come in: a JSON array of them.
package enum ExerciseFormat: String, Sendable, CaseIterable {
  /// `dist/exercises.json` of free-exercise-db.
  case freeExerciseDB = "free-exercise-db"
  /// Exercises of wger, each with its translation, category, muscles and equipment by their names.
  case wger
  /// The suite's own samples: as `freeExerciseDB`, with `aliases` where there are some.
  case tandem

  func reader() -> any ExerciseReader {
    switch self {
    case .freeExerciseDB: FreeExerciseDBReader(.freeExerciseDB, license: "Unlicense", attribution: "free-exercise-db")
    case .wger: WgerReader()
    case .tandem: FreeExerciseDBReader(.tandem, license: "Apache-2.0", attribution: "Tandem")
    }
  }
}

/// Reads the records of one file.
protocol ExerciseReader: Sendable {
  /// - Throws: ``ExerciseFlaw`` for a record that is skipped.
  func read(_ record: String) throws(ExerciseFlaw) -> ExerciseRecord
}

/// Why a record cannot be an exercise.
struct ExerciseFlaw: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
