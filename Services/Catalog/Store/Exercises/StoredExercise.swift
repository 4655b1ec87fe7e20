import CatalogDomain
import Identifiers
import Postgres

/// A stored exercise. Its coded values are from the fixed lists of the domain.
package struct StoredExercise: Sendable {
  package let id: ExerciseID
  package let name: String
  package let aliases: [String]
  /// Empty if no collection says it.
  package let category: String
  /// Empty if no collection says it.
  package let level: String
  package let muscles: [String]
  package let secondaryMuscles: [String]
  package let muscleGroups: [String]
  package let equipment: [String]
  package let instructions: [String]
  package let instructionsSource: String
  /// The collections that have it; parallel to the next three.
  package let sources: [String]
  package let sourceIDs: [String]
  package let licenses: [String]
  package let attributions: [String]
  package let images: [String]
  /// The collection that each image is from.
  package let imageSources: [String]

  /// The columns of a row `exercise` that ``decode(_:)`` reads.
  static let columns = [
    "id", "name", "aliases", "category", "level", "muscles", "secondary_muscles", "muscle_groups", "equipment",
    "instructions", "instructions_source", "sources", "source_ids", "licenses", "attributions", "images",
    "image_sources",
  ].map { "exercise.\($0)" }.joined(separator: ", ")

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredExercise {
    StoredExercise(
      id: try row.next(), name: try row.next(), aliases: try row.next(), category: try row.next(),
      level: try row.next(), muscles: try row.next(), secondaryMuscles: try row.next(), muscleGroups: try row.next(),
      equipment: try row.next(), instructions: try row.next(), instructionsSource: try row.next(),
      sources: try row.next(), sourceIDs: try row.next(), licenses: try row.next(), attributions: try row.next(),
      images: try row.next(), imageSources: try row.next())
  }
}
