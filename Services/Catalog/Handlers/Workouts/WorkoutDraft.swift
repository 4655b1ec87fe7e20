import CatalogDomain
import CatalogOperations
import FieldMasks
import FieldViolations
import Identifiers
import TandemCatalog
import VisibleText

extension WorkoutDraft {
  /// A field that the owner may set.
  enum Field: String, MaskedField {
    case name
    case description
    case muscleGroups = "muscle_groups"
    case entries
  }

  /// Reads the `named` fields of `workout` and adds a violation for each invalid one ([CA-12]).
  init(_ named: Set<Field>, of workout: Workout, _ bad: inout Violations) {
    self.init()
    for field in Field.allCases where named.contains(field) {
      let path = "workout.\(field.rawValue)"
      switch field {
      case .name: name = bad.workoutName(workout.name, path)
      case .description: description = .some(bad.workoutDescription(workout.description, path))
      case .muscleGroups: muscleGroups = bad.muscleGroups(workout.muscleGroups, path)
      case .entries: entries = Self.entries(workout.entries, path, &bad)
      }
    }
  }

  /// The exercises of its entries, with the fields that name them.
  var namedExercises: [NamedExercise] {
    (entries ?? []).enumerated().flatMap { place, entry in entry.draft.namedExercises(Self.path(ofEntry: place)) }
  }

  private static func path(ofEntry place: Int) -> String { "workout.\(Field.entries.rawValue)[\(place)]" }

  private static func entries(
    _ entries: [WorkoutEntry], _ path: String, _ bad: inout Violations
  ) -> [(id: UUID7?, draft: EntryDraft)]? {
    guard entries.count <= WorkoutPlan.maxEntries else {
      bad.add(path, "A workout has at most \(WorkoutPlan.maxEntries) entries", CatalogReason.tooManyEntries)
      return nil
    }
    return entries.enumerated().map { place, entry in
      (UUID7(entry.entryID), EntryDraft(whole: entry, Self.path(ofEntry: place), &bad))
    }
  }
}

extension Violations {
  /// Parses a name, which is required.
  mutating func workoutName(_ text: String, _ field: String) -> WorkoutName? {
    guard !WorkoutName.isBlank(text) else {
      add(field, "The name is missing", CatalogReason.nameRequired)
      return nil
    }
    return require(field, WorkoutName.read(text), CatalogReason.nameInvalid)
  }

  /// A description; `nil` for none. Adds a violation for an invalid one.
  mutating func workoutDescription(
    _ text: String, _ field: String, _ reason: CatalogReason = .descriptionInvalid
  ) -> WorkoutDescription? {
    guard !WorkoutDescription.isBlank(text) else { return nil }
    return require(field, WorkoutDescription.read(text), reason)
  }

  /// Parses muscle groups: each once, in the order of ``MuscleGroup``.
  mutating func muscleGroups(_ ids: [String], _ field: String) -> [MuscleGroup] {
    let given = Set(
      listed(ids, field, MuscleGroup.self, "There is no such muscle group", CatalogReason.muscleGroupUnknown))
    return MuscleGroup.allCases.filter(given.contains)
  }
}
