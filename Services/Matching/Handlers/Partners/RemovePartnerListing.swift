import FieldViolations
import Idempotency
import MatchingOperations
import TTRPC
import TandemMatching

extension Partners {
  /// Takes the caller off the map ([MA-13]).
  package func removePartnerListing(
    _ call: RemovePartnerListingRequest, _ context: CallContext
  ) async throws -> RemovePartnerListingResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.removePartnerListing(of: user, tx)
      return RemovePartnerListingResponse()
    }
  }
}
