import CatalogDomain
import CatalogStore
import FieldViolations
import HeavyWork
import Idempotency
import Identifiers
import Postgres
import ProtobufC
import TTRPC
import TandemCatalog

/// The workout that a call changes, with what all such calls have.
struct WorkoutEdit: Sendable {
  let id: WorkoutID
  let etag: String
  let requestID: UUID7?
  let execution: IdempotencyStore.Execution
}

extension Workouts {
  /// Changes one of the caller's workouts and returns it as changed ([CA-12]).
  ///
  /// - Parameters:
  ///   - named: the exercises that the call names, with the fields that name them.
  ///   - change: changes the plan.
  func edit<Call: IdempotentRequest>(
    _ call: Call, _ context: CallContext, _ edit: WorkoutEdit, naming named: [(field: String, id: ExerciseID)] = [],
    _ change: @Sendable (inout WorkoutPlan) throws -> Void
  ) async throws -> Workout {
    let owner = try context.userID
    return try await idempotency.execute(call, context.requestKey(edit.requestID), edit.execution) { tx in
      let number = try await nextChange(.keeps, by: owner, tx)
      let (stored, entries) = try await ownWorkout(edit.id, of: owner, edit.etag, tx)
      let before = stored.plan(entries)
      var plan = before
      try change(&plan)
      guard plan != before else { return Workout(stored, entries) }
      let exercises = try await exercises(of: &plan, naming: named, tx)
      let search = try await searchText(plan, exercises)
      let replace = ReplaceWorkout(
        workoutID: edit.id, plan, search, change: number, now: environment.clock.now)
      guard let changed = try await tx.first(replace) else { throw Status.noSuchWorkout }
      try await tx.execute(ClearEntries(workoutID: edit.id))
      try await tx.execute(InsertEntries(workoutID: edit.id, plan.entries))
      return Workout(changed, try await tx.rows(EntriesOfWorkouts(workoutIDs: [edit.id])))
    }
  }

  /// What a search looks at: a workout has many exercises with long names.
  func searchText(
    _ plan: WorkoutPlan, _ exercises: [(name: String, groups: [MuscleGroup])]
  ) async throws -> WorkoutSearchText {
    try await HeavyWork.shared.run { WorkoutSearchText(plan, exercises: exercises) }
  }

  /// The exercises of a plan, for its searchable text. Ids that were merged into another exercise are replaced in the plan.
  ///
  /// - Throws: all fields that name unknown exercises.
  func exercises(
    of plan: inout WorkoutPlan, naming named: [(field: String, id: ExerciseID)], _ tx: Transaction
  ) async throws -> [(name: String, groups: [MuscleGroup])] {
    let known = try await exercises(plan.entries.map { ExerciseID($0.exercise) }, naming: named, tx)
    for entry in plan.entries {
      guard let exercise = known[ExerciseID(entry.exercise)], exercise.id.uuid != entry.exercise else { continue }
      try plan.change(entry.id) { $0.exercise = exercise.id.uuid }
    }
    return plan.entries.compactMap { entry in known.values.first { $0.id.uuid == entry.exercise } }
      .map { ($0.name, $0.groups) }
  }

  /// Adds the fields that name unknown exercises to a request's other bad fields, so that all are named at once ([C-2]). Without others it does
  /// nothing: the call looks its exercises up anyway.
  func addUnknown(_ named: [(field: String, id: ExerciseID)], to bad: inout Violations) async throws {
    guard !bad.isEmpty, !named.isEmpty else { return }
    let found = try await database.rows(ExercisesNamed(exerciseIDs: Array(Set(named.map(\.id)))))
    bad.addUnknown(named, known: Set(found.map(\.askedID)))
  }

  /// The exercises of some ids, by the ids as given.
  ///
  /// - Throws: all fields that name unknown exercises.
  func exercises(
    _ ids: [ExerciseID], naming named: [(field: String, id: ExerciseID)], _ tx: Transaction
  ) async throws -> [ExerciseID: ExercisesNamed.Row] {
    let wanted = Array(Set(ids + named.map(\.id)))
    guard !wanted.isEmpty else { return [:] }
    let found = try await tx.rows(ExercisesNamed(exerciseIDs: wanted))
    let known = Dictionary(uniqueKeysWithValues: found.map { ($0.askedID, $0) })
    var bad = Violations()
    bad.addUnknown(named, known: Set(known.keys))
    try bad.check()
    return known
  }
}

extension WorkoutPlan.Refusal {
  /// The refusal as an error for the caller; `position` and `ids` are the request's fields.
  func refusal(position: String = "position", ids: String = "entry_ids") -> any Error {
    switch self {
    case .tooManyEntries:
      BadFields("entries", "A workout has at most \(WorkoutPlan.maxEntries) entries", CatalogReason.tooManyEntries)
    case .noSuchPosition: BadFields(position, "This is beyond the end of the workout", CatalogReason.positionInvalid)
    case .noSuchEntry: Status(CatalogReason.entryNotFound, "There is no such entry in the workout")
    case .notAnOrder:
      BadFields(ids, "The order must name each entry of the workout once", CatalogReason.entryIdsInvalid)
    }
  }
}

extension Violations {
  /// Adds the fields that name exercises which are not among the known ones.
  fileprivate mutating func addUnknown(_ named: [(field: String, id: ExerciseID)], known: Set<ExerciseID>) {
    for (field, id) in named where !known.contains(id) {
      add(field, "There is no such exercise", CatalogReason.exerciseUnknown)
    }
  }

  /// Parses the id of an entry from the field of that name.
  mutating func entryID(_ text: String, _ field: String = "entry_id") -> UUID7? {
    require(field, UUID7(text), "This is not the id of an entry", CatalogReason.entryIDInvalid)
  }
}

/// Runs `body` and maps a refusal of the plan to an error for the caller.
func planning(_ body: () throws(WorkoutPlan.Refusal) -> Void) throws {
  do { try body() } catch { throw error.refusal() }
}
