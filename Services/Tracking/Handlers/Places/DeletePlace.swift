import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Places {
  /// Deletes a place of the caller.
  package func deletePlace(_ call: DeletePlaceRequest, _ context: CallContext) async throws -> DeletePlaceResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = try bad.all(bad.placeID(call.placeID))
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      _ = try await locked(id, of: user, etag: call.etag, tx)
      _ = try await tx.rows(TrackingStore.DeletePlace(placeID: id), UncountPlace(userID: user))
      return DeletePlaceResponse()
    }
  }
}
