import FieldViolations
import Idempotency
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations

extension Places {
  /// Deletes a place of the caller.
  package func deletePlace(_ call: DeletePlaceRequest, _ context: CallContext) async throws -> DeletePlaceResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = try bad.all(bad.placeID(call.placeID))
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.deletePlace(id, of: user, readAs: NamedPlace.known(call.etag), tx)
      return DeletePlaceResponse()
    }
  }
}
