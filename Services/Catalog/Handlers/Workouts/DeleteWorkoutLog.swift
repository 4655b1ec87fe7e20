import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog
import TandemEvents

extension Workouts {
  /// Deletes one of the caller's logs ([CA-14]).
  package func deleteWorkoutLog(
    _ call: DeleteWorkoutLogRequest, _ context: CallContext
  ) async throws -> DeleteWorkoutLogResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require(
      "log_id", WorkoutLogID(call.logID), "This is not the id of a log", CatalogReason.logIDInvalid)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      // The user's row is locked before any other.
      guard try await tx.first(EnterUser(userID: owner)) != nil else { throw Status.notAUser }
      guard try await tx.first(DeleteLog(logID: id, ownerID: owner, now: environment.clock.now)) != nil else {
        throw Status.noSuchLog
      }
      try await events.publish(WorkoutLogDeleted(logID: id.description, userID: owner.description), in: tx)
      return DeleteWorkoutLogResponse()
    }
  }
}
