import CatalogDomain
import CatalogStore
import FieldViolations
import Idempotency
import Identifiers
import Postgres
import TTRPC
import TandemCatalog

extension Workouts {
  /// Creates a workout of the caller, from muscle groups, from exercises or from both ([CA-12]).
  package func createWorkout(_ call: CreateWorkoutRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    var bad = Violations()
    let new = NewWorkout(call, &bad)
    try await addUnknown(new.named, to: &bad)
    try bad.check()
    let execution = IdempotencyStore.Execution(validateOnly: call.validateOnly)
    return try await idempotency.execute(call, context.requestKey(new.requestID), execution) { tx in
      guard var plan = try new.draft.plan({ newEntryID() }) else {
        preconditionFailure("a field that is missing was not noted")
      }
      let known = try await exercises([], naming: new.named, tx)
      if plan.muscleGroups.isEmpty {
        let groups = Set(known.values.flatMap(\.groups))
        plan.muscleGroups = MuscleGroup.allCases.filter(groups.contains)
      }
      for exercise in try await suggestions(new.suggestions, for: plan, tx) {
        let entry = PlannedEntry(newEntryID(), exercise.uuid, .suggested)
        try planning { () throws(WorkoutPlan.Refusal) in try plan.insert(entry, at: nil) }
      }
      return try await add(plan, to: owner, tx)
    }
  }

  /// Stores a new workout of a user; its exercises must exist.
  func add(_ plan: WorkoutPlan, to owner: UserID, _ tx: Transaction) async throws -> Workout {
    var plan = plan
    let change = try await nextChange(.adds, by: owner, tx)
    let exercises = try await exercises(of: &plan, naming: [], tx)
    let search = try await searchText(plan, exercises)
    let insert = InsertWorkout(
      workoutID: environment.newID(), ownerID: owner, plan, search, change: change, now: environment.clock.now)
    guard let stored = try await tx.first(insert) else { throw Status.noSuchWorkout }
    try await tx.execute(InsertEntries(workoutID: stored.id, plan.entries))
    return Workout(stored, try await tx.rows(EntriesOfWorkouts(workoutIDs: [stored.id])))
  }

  /// Exercises for those muscle groups of a plan that its entries do not train.
  private func suggestions(_ count: Int, for plan: WorkoutPlan, _ tx: Transaction) async throws -> [ExerciseID] {
    guard count > 0 else { return [] }
    let had = Set(plan.entries.map { ExerciseID($0.exercise) })
    // More by the number of entries, as those may be among the suggestions.
    let found = try await tx.rows(SuggestedExercises(groups: plan.muscleGroups, count: Int64(count + had.count)))
    var seen = had
    return Array(found.filter { seen.insert($0).inserted }.prefix(count))
  }
}

/// The parsed request.
private struct NewWorkout {
  private static let suggestionsRange: ClosedRange<Int32> = 0...20

  let draft: WorkoutDraft
  let named: [(field: String, id: ExerciseID)]
  let suggestions: Int
  let requestID: UUID7?

  init(_ call: CreateWorkoutRequest, _ bad: inout Violations) {
    let workout = call.workout ?? Workout()
    requestID = bad.requestID(call.requestID)
    draft = WorkoutDraft(Set(WorkoutDraft.Field.allCases), of: workout, &bad)
    if workout.muscleGroups.isEmpty, workout.entries.isEmpty {
      bad.add("workout.muscle_groups", "Muscle groups or exercises are needed", CatalogReason.muscleGroupsRequired)
    }
    if !Self.suggestionsRange.contains(call.suggestedExercises) {
      bad.add("suggested_exercises", "There are 0 to 20 suggestions", CatalogReason.suggestionsInvalid)
    }
    named = draft.namedExercises
    suggestions = Int(call.suggestedExercises)
  }
}

extension WorkoutDraft {
  /// The exercises of its entries, with the fields that name them.
  var namedExercises: [(field: String, id: ExerciseID)] {
    (entries ?? []).compactMap { entry in
      entry.draft.exercise.map { ("\(entry.draft.path).\(EntryDraft.Field.exercise.rawValue)", $0) }
    }
  }
}
