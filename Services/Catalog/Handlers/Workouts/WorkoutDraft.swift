import CatalogDomain
import CatalogStore
import FieldMasks
import FieldViolations
import Identifiers
import TandemCatalog

/// Values for some fields of a workout, each of them judged.
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
  /// Each with the id that its sender gives it, which is one of the workout's or means nothing.
  private(set) var entries: [(id: UUID7?, draft: EntryDraft)]?

  /// Reads the `named` fields of `workout` and notes what is wrong with them ([CA-12]).
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

  /// A plan of all fields, when all were named and none is bad.
  func plan(_ newID: () -> UUID7) throws -> WorkoutPlan? {
    guard let name, let description, let muscleGroups else { return nil }
    var plan = WorkoutPlan(name: name, description: description, muscleGroups: muscleGroups, stored: [])
    try replaceEntries(of: &plan, newID)
    return plan
  }

  /// Puts the new values in the place of the old.
  func apply(to plan: inout WorkoutPlan, _ newID: () -> UUID7) throws {
    plan.name = name ?? plan.name
    plan.description = description ?? plan.description
    plan.muscleGroups = muscleGroups ?? plan.muscleGroups
    try replaceEntries(of: &plan, newID)
  }

  private func replaceEntries(of plan: inout WorkoutPlan, _ newID: () -> UUID7) throws {
    guard let entries else { return }
    // An id is kept once; what repeats it, or names another workout's, is new.
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
      bad.add(path, "A workout has at most \(WorkoutPlan.maxEntries) entries", "TOO_MANY_ENTRIES")
      return nil
    }
    return entries.enumerated().map { place, entry in
      (UUID7(entry.entryID), EntryDraft(whole: entry, "\(path)[\(place)]", &bad))
    }
  }
}

extension Violations {
  /// A name, which is required.
  mutating func workoutName(_ text: String, _ field: String) -> WorkoutName? {
    guard !WorkoutName.isBlank(text) else {
      add(field, "The name is missing", "NAME_REQUIRED")
      return nil
    }
    return require(
      field, WorkoutName(text), "At most \(WorkoutNameLimit.most) characters, and none that do not show",
      "NAME_INVALID")
  }

  /// A description, or `nil` for none; a bad one is noted.
  mutating func workoutDescription(
    _ text: String, _ field: String, _ reason: String = "DESCRIPTION_INVALID"
  ) -> WorkoutDescription? {
    guard !WorkoutDescription.isBlank(text) else { return nil }
    return require(
      field, WorkoutDescription(text),
      "At most \(WorkoutDescriptionLimit.most) characters, and none that do not show", reason)
  }

  /// Muscle groups in the order of the list, each once.
  mutating func muscleGroups(_ ids: [String], _ field: String) -> [MuscleGroup] {
    let given = Set(
      listed(ids, field, MuscleGroup.self, "There is no such muscle group", "MUSCLE_GROUP_UNKNOWN"))
    return MuscleGroup.allCases.filter(given.contains)
  }
}
