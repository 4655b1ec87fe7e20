import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension SavedSearches {
  /// Deletes one of the caller's searches.
  package func deleteSavedSearch(
    _ call: DeleteSavedSearchRequest, _ context: CallContext
  ) async throws -> DeleteSavedSearchResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require(
      "search_id", SearchID(call.searchID), "This is not the id of a search", MatchingReason.searchIDInvalid)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.deleteSavedSearch(id, of: user, tx)
      return DeleteSavedSearchResponse()
    }
  }
}
