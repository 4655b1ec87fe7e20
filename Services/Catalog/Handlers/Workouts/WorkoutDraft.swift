import CatalogDomain
import CatalogStore
import FieldMasks
import FieldViolations
import Identifiers
import TandemCatalog
import VisibleText

/// Checked values for some fields of a workout.
struct WorkoutDraft: Sendable {
  /// A field that the owner may set.
  enum Field: String, MaskedField {
    case name
    case description
    case muscleGroups = "muscle_groups"
    case entries
  }

  private var name: WorkoutName?
  private var description: WorkoutDescription??
  private(set) var muscleGroups: [MuscleGroup]?
  /// Each with the id from the request; `nil` or one of another workout counts as new.
  private(set) var entries: [(id: UUID7?, draft: EntryDraft)]?

  /// Reads the `named` fields of `workout` and adds a violation for each invalid one ([CA-12]).
  init(_ named: Set<Field>, of workout: Workout, _ bad: inout Violations) {
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

  /// The plan; `nil` unless all fields were named and valid.
  func plan(_ newID: () -> UUID7) throws -> WorkoutPlan? {
    guard let name, let description, let muscleGroups else { return nil }
    var plan = WorkoutPlan(name: name, description: description, muscleGroups: muscleGroups, stored: [])
    try replaceEntries(of: &plan, newID)
    return plan
  }

  /// Replaces the old values by the new ones.
  func apply(to plan: inout WorkoutPlan, _ newID: () -> UUID7) throws {
    plan.name = name ?? plan.name
    plan.description = description ?? plan.description
    plan.muscleGroups = muscleGroups ?? plan.muscleGroups
    try replaceEntries(of: &plan, newID)
  }

  private func replaceEntries(of plan: inout WorkoutPlan, _ newID: () -> UUID7) throws {
    guard let entries else { return }
    // An id is kept once; an entry that repeats it, or has that of another workout, gets a new one.
    var known = Set(plan.entries.map(\.id))
    try plan.replaceEntries(
      entries.compactMap { given in
        let id = given.id.flatMap { known.remove($0) } ?? newID()
        return given.draft.entry(id)
      })
  }

  private static func entries(
    _ entries: [WorkoutEntry], _ path: String, _ bad: inout Violations
  ) -> [(id: UUID7?, draft: EntryDraft)]? {
    guard entries.count <= WorkoutPlan.maxEntries else {
      bad.add(path, "A workout has at most \(WorkoutPlan.maxEntries) entries", CatalogReason.tooManyEntries)
      return nil
    }
    return entries.enumerated().map { place, entry in
      (UUID7(entry.entryID), EntryDraft(whole: entry, "\(path)[\(place)]", &bad))
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
