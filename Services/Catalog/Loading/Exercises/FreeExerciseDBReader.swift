import CatalogDomain

/// Parses the records of free-exercise-db.
struct FreeExerciseDBReader: ExerciseReader {
  private struct Exercise: Decodable {
    let id: String?
    let name: String?
    let aliases: [String]?
    let level: String?
    let equipment: String?
    let category: String?
    let primaryMuscles: [String]?
    let secondaryMuscles: [String]?
    let instructions: [String]?
    let images: [String]?
  }

  private let collection: ExerciseCollection
  private let license: String
  private let attribution: String

  /// - Parameter license: of all records of the collection.
  init(_ collection: ExerciseCollection, license: String, attribution: String) {
    (self.collection, self.license, self.attribution) = (collection, license, attribution)
  }

  func read(_ record: String) throws(ExerciseFlaw) -> ExerciseRecord {
    let read = try ExerciseParts.decode(Exercise.self, record)
    return ExerciseRecord(
      collection, try ExerciseParts.sourceID(read.id), name: try ExerciseParts.name(read.name),
      aliases: ExerciseParts.aliases(read.aliases), category: ExerciseVocabulary.category(read.category),
      level: ExerciseVocabulary.level(read.level), muscles: ExerciseVocabulary.muscles(read.primaryMuscles),
      secondaryMuscles: ExerciseVocabulary.muscles(read.secondaryMuscles),
      equipment: ExerciseVocabulary.equipment(read.equipment.map { [$0] }),
      instructions: ExerciseParts.instructions(read.instructions ?? []), images: ExerciseParts.images(read.images),
      license: license, attribution: attribution)
  }
}
