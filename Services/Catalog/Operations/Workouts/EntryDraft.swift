import CatalogDomain
import CatalogStore
import Identifiers

/// Checked values for some fields of an entry; `nil` for a field that is not named.
package struct EntryDraft: Sendable {
  package var exercise: ExerciseID?
  package var sets: Int32?
  package var reps: Int32?
  package var duration: Int32?
  package var weight: Weight??
  package var rest: Int32?
  package var note: EntryNote??

  package init() {}

  /// The entry; `nil` unless all fields were named and valid.
  func entry(_ id: UUID7) -> PlannedEntry? {
    guard let exercise, let sets, let reps, let duration, let weight, let rest, let note else { return nil }
    return PlannedEntry(
      id, exercise.uuid,
      EntryTarget(sets: sets, reps: reps, duration: duration, weight: weight, rest: rest, note: note))
  }

  /// Sets the new values.
  ///
  /// - Throws: `noTarget` if neither repetitions nor a duration are left.
  func apply(to entry: inout PlannedEntry) throws(WorkoutPlan.Refusal) {
    entry.exercise = exercise?.uuid ?? entry.exercise
    entry.target.sets = sets ?? entry.target.sets
    entry.target.reps = reps ?? entry.target.reps
    entry.target.duration = duration ?? entry.target.duration
    entry.target.weight = weight ?? entry.target.weight
    entry.target.rest = rest ?? entry.target.rest
    entry.target.note = note ?? entry.target.note
    guard entry.target.reps > 0 || entry.target.duration > 0 else { throw .noTarget }
  }
}
