import CatalogOperations
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Removes an entry from one of the caller's workouts ([CA-12]).
  package func removeWorkoutEntry(_ call: RemoveWorkoutEntryRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (id, entry) = (bad.workoutID(call.workoutID), bad.entryID(call.entryID))
    let (workout, removed) = try bad.all(id, entry)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let revision = Etag.revision(of: call.etag)
      return Workout(
        try await operations.removeWorkoutEntry(removed, from: workout, of: owner, expecting: revision, tx))
    }
  }
}
