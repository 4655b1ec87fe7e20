import CatalogOperations
import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Revokes a link to one of the caller's workouts ([CA-15]).
  package func revokeWorkoutShare(
    _ call: RevokeWorkoutShareRequest, _ context: CallContext
  ) async throws -> RevokeWorkoutShareResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let share = bad.require(
      "share_id", WorkoutShareID(call.shareID), "This is not the id of a link", CatalogReason.shareIDInvalid)
    let id = try bad.all(share)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await operations.revokeWorkoutShare(id, of: owner, tx)
      return RevokeWorkoutShareResponse()
    }
  }
}
