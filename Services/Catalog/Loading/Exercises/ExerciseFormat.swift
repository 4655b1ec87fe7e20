import CatalogDomain

/// A format of files with exercises: a JSON array of them.
package enum ExerciseFormat: String, Sendable, CaseIterable {
  /// `dist/exercises.json` of free-exercise-db.
  case freeExerciseDB = "free-exercise-db"
  /// Exercises of wger, each with its translation and with the names of its category, muscles and equipment.
  case wger
  /// The operator's own: as `freeExerciseDB`, with `aliases`.
  case tandem

  func reader() -> any ExerciseReader {
    switch self {
    case .freeExerciseDB: FreeExerciseDBReader(.freeExerciseDB, license: "Unlicense", attribution: "free-exercise-db")
    case .wger: WgerReader()
    case .tandem: FreeExerciseDBReader(.tandem, license: "Apache-2.0", attribution: "Tandem")
    }
  }
}

/// Parses the records of one file.
protocol ExerciseReader: Sendable {
  /// - Throws: ``ExerciseFlaw`` for a record that is skipped.
  func read(_ record: String) throws(ExerciseFlaw) -> ExerciseRecord
}

/// Why a record is not a usable exercise.
struct ExerciseFlaw: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
