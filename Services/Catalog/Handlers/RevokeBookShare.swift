import CatalogOperations
import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Books {
  /// Revokes a link to one of the caller's books ([CA-15]).
  package func revokeBookShare(
    _ call: RevokeBookShareRequest, _ context: CallContext
  ) async throws -> RevokeBookShareResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let share = bad.require(
      "share_id", BookShareID(call.shareID), "This is not the id of a link", CatalogReason.shareIDInvalid)
    let id = try bad.all(share)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await operations.revokeBookShare(id, of: owner, tx)
      return RevokeBookShareResponse()
    }
  }
}
