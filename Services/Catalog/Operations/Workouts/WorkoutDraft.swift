import CatalogDomain
import CatalogStore
import Identifiers

/// Checked values for some fields of a workout; `nil` for a field that is not named.
package struct WorkoutDraft: Sendable {
  package var name: WorkoutName?
  package var description: WorkoutDescription??
  package var muscleGroups: [MuscleGroup]?
  /// Each with the id that was given; `nil` or one of another workout counts as new.
  package var entries: [(id: UUID7?, draft: EntryDraft)]?

  package init() {}

  /// The exercises of its entries.
  var exercises: [ExerciseID] { (entries ?? []).compactMap(\.draft.exercise) }

  /// The plan; `nil` unless all fields were named and valid.
  func plan(_ newID: () -> UUID7) throws(WorkoutPlan.Refusal) -> WorkoutPlan? {
    guard let name, let description, let muscleGroups else { return nil }
    var plan = WorkoutPlan(name: name, description: description, muscleGroups: muscleGroups, stored: [])
    try replaceEntries(of: &plan, newID)
    return plan
  }

  /// Replaces the old values by the new ones.
  func apply(to plan: inout WorkoutPlan, _ newID: () -> UUID7) throws(WorkoutPlan.Refusal) {
    plan.name = name ?? plan.name
    plan.description = description ?? plan.description
    plan.muscleGroups = muscleGroups ?? plan.muscleGroups
    try replaceEntries(of: &plan, newID)
  }

  private func replaceEntries(of plan: inout WorkoutPlan, _ newID: () -> UUID7) throws(WorkoutPlan.Refusal) {
    guard let entries else { return }
    // An id is kept once; an entry that repeats it, or has that of another workout, gets a new one.
    var known = Set(plan.entries.map(\.id))
    try plan.replaceEntries(
      entries.compactMap { given in
        let id = given.id.flatMap { known.remove($0) } ?? newID()
        return given.draft.entry(id)
      })
  }
}
