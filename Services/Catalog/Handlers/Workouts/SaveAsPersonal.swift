import CatalogDomain
import CatalogStore
import FieldViolations
import Idempotency
import Identifiers
import LinkMisses
import Postgres
import TTRPC
import TandemCatalog

extension Workouts {
  /// Saves a copy of a curated workout, a shared one or one of the caller's as a workout of the caller ([CA-11], [CA-15]).
  package func saveAsPersonal(_ call: SaveAsPersonalRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    let copy = try WantedCopy(call)
    let execution = IdempotencyStore.Execution(validateOnly: call.validateOnly)
    do {
      return try await idempotency.execute(call, context.requestKey(copy.requestID), execution) { tx in
        let plan = try await plan(of: copy, for: owner, tx)
        return try await add(plan, to: owner, tx)
      }
    } catch let refusal as NoSuchShare {
      // The transaction is rolled back, so the miss is counted outside of it.
      try await misses.count(context)
      throw refusal
    }
  }

  /// The plan of the copy, with entries of its own.
  private func plan(of copy: WantedCopy, for owner: UserID, _ tx: Transaction) async throws -> WorkoutPlan {
    let found: StoredWorkout
    switch copy.source {
    case .workout(let id):
      guard let workout = try await tx.first(WorkoutByID(workoutID: id, viewerID: owner)) else {
        throw Status.noSuchWorkout
      }
      found = workout
    case .token(let hash):
      guard let hash, let workout = try await tx.first(SharedWorkoutByToken(tokenHash: hash)) else {
        throw NoSuchShare()
      }
      found = workout
    }
    var plan = found.plan(try await tx.rows(EntriesOfWorkouts(workoutIDs: [found.id])))
    plan.name = copy.name ?? plan.name
    let entries = plan.entries.map { PlannedEntry(newEntryID(), $0.exercise, $0.target) }
    try plan.replaceEntries(entries)
    return plan
  }
}

/// The parsed request.
private struct WantedCopy {
  enum Source {
    case workout(WorkoutID)
    /// The hash of the secret; `nil` for a text that is not one.
    case token([UInt8]?)
  }

  let source: Source
  /// `nil` for the name of the original.
  let name: WorkoutName?
  let requestID: UUID7?

  init(_ call: SaveAsPersonalRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    name = call.name.isEmpty ? nil : bad.workoutName(call.name, "name")
    var source: Source?
    switch call.source {
    case .workoutID(let text): source = bad.workoutID(text).map { .workout($0) }
    case .shareToken(let text): source = .token(Workouts.hash(ofToken: text))
    case nil: bad.add("source", "A workout or the secret of a link is needed", CatalogReason.sourceRequired)
    }
    self.source = try bad.all(source)
  }
}
