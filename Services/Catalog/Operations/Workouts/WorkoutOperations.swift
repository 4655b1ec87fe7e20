import CatalogDomain
import CatalogStore
import Environment
import Events
import Identifiers
import Postgres

/// A request names exercises that there are not, and perhaps a workout that the user may not see.
package struct UnknownExercises: Error, Sendable {
  package let ids: Set<ExerciseID>
  package let lacksWorkout: Bool
}

/// What the catalog does with workouts, and with logs of them; see ``BookOperations``.
package struct WorkoutOperations: Sendable {
  /// A workout with its entries.
  package typealias Whole = (stored: StoredWorkout, entries: [EntriesOfWorkouts.Row])

  let database: Database
  let environment: Environment
  let events: Outbox

  package init(database: Database, environment: Environment, events: Outbox) {
    self.database = database
    self.environment = environment
    self.events = events
  }

  func newEntryID() -> UUID7 { environment.randomness.uuid7(at: environment.clock.now) }

  /// The number of the next change of a user's workouts, for this transaction; locks the user's row.
  func nextChange(_ effect: CountEffect, by user: UserID, _ tx: Transaction) async throws -> Int64 {
    try await tx.nextChange(NextWorkoutChange(userID: user, effect: effect), atLimit: WorkoutRefusal.tooManyWorkouts)
  }

  /// One of a user's workouts, with its entries; call it after ``nextChange(_:by:_:)``, whose lock keeps it unchanged.
  ///
  /// - Parameter revision: that of the workout as the user knows it; `nil` for any.
  func ownWorkout(
    _ id: WorkoutID, of user: UserID, expecting revision: Int64? = nil, _ tx: Transaction
  ) async throws -> Whole {
    guard let stored = try await tx.first(WorkoutByID(workoutID: id, viewerID: user)) else {
      throw WorkoutRefusal.noSuchWorkout
    }
    try WorkoutRefusal.check(stored.ownerID, stored.revision, isChangedBy: user, expecting: revision)
    return (stored, try await tx.rows(EntriesOfWorkouts(workoutIDs: [id])))
  }

  /// Stores a new workout of a user; its exercises must exist.
  func add(_ plan: WorkoutPlan, to owner: UserID, _ tx: Transaction) async throws -> Whole {
    var plan = plan
    let change = try await nextChange(.adds, by: owner, tx)
    let exercises = try await exercises(of: &plan, naming: [], tx)
    let search = WorkoutSearchText(plan, exercises: exercises)
    let insert = InsertWorkout(
      workoutID: environment.newID(), ownerID: owner, plan, search, change: change, now: environment.clock.now)
    guard let stored = try await tx.first(insert) else { throw WorkoutRefusal.noSuchWorkout }
    try await tx.execute(InsertEntries(workoutID: stored.id, plan.entries))
    return (stored, try await tx.rows(EntriesOfWorkouts(workoutIDs: [stored.id])))
  }

  /// Changes one of a user's workouts and returns it as changed ([CA-12]).
  ///
  /// - Parameters:
  ///   - revision: that of the workout as the user knows it; `nil` for any.
  ///   - named: the exercises that the change names.
  ///   - change: changes the plan.
  func edit(
    _ id: WorkoutID, of owner: UserID, expecting revision: Int64?, naming named: [ExerciseID] = [], _ tx: Transaction,
    _ change: (inout WorkoutPlan) throws -> Void
  ) async throws -> Whole {
    let number = try await nextChange(.keeps, by: owner, tx)
    let (stored, entries) = try await ownWorkout(id, of: owner, expecting: revision, tx)
    let before = stored.plan(entries)
    var plan = before
    try change(&plan)
    guard plan != before else { return (stored, entries) }
    let exercises = try await exercises(of: &plan, naming: named, tx)
    let search = WorkoutSearchText(plan, exercises: exercises)
    let replace = ReplaceWorkout(workoutID: id, plan, search, change: number, now: environment.clock.now)
    guard let changed = try await tx.first(replace) else { throw WorkoutRefusal.noSuchWorkout }
    try await tx.execute(ClearEntries(workoutID: id))
    try await tx.execute(InsertEntries(workoutID: id, plan.entries))
    return (changed, try await tx.rows(EntriesOfWorkouts(workoutIDs: [id])))
  }

  /// The exercises of a plan, for its searchable text. Ids that were merged into another exercise are replaced in the plan.
  ///
  /// - Throws: ``UnknownExercises`` for those that are named.
  private func exercises(
    of plan: inout WorkoutPlan, naming named: [ExerciseID], _ tx: Transaction
  ) async throws -> [(name: String, groups: [MuscleGroup])] {
    let known = try await exercises(plan.entries.map { ExerciseID($0.exercise) }, naming: named, tx)
    for entry in plan.entries {
      guard let exercise = known[ExerciseID(entry.exercise)], exercise.id.uuid != entry.exercise else { continue }
      try plan.change(entry.id) { $0.exercise = exercise.id.uuid }
    }
    return plan.entries.compactMap { entry in known.values.first { $0.id.uuid == entry.exercise } }
      .map { ($0.name, $0.groups) }
  }

  /// The exercises of some ids, by the ids as given.
  ///
  /// - Throws: ``UnknownExercises`` for those that are named.
  func exercises(
    _ ids: [ExerciseID] = [], naming named: [ExerciseID], _ tx: Transaction
  ) async throws -> [ExerciseID: ExercisesNamed.Row] {
    let wanted = Array(Set(ids + named))
    guard !wanted.isEmpty else { return [:] }
    let found = try await tx.rows(ExercisesNamed(exerciseIDs: wanted))
    let known = Dictionary(uniqueKeysWithValues: found.map { ($0.askedID, $0) })
    let unknown = named.filter { known[$0] == nil }
    guard unknown.isEmpty else { throw UnknownExercises(ids: Set(unknown), lacksWorkout: false) }
    return known
  }

  /// The ones among some exercises that there are not.
  package func unknownExercises(among ids: Set<ExerciseID>) async throws -> Set<ExerciseID> {
    let found = try await database.rows(ExercisesNamed(exerciseIDs: Array(ids)))
    return ids.subtracting(found.map(\.askedID))
  }
}
