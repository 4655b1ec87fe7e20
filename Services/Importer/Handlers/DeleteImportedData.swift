import FieldViolations
import Idempotency
import TTRPC
import TandemImporter

extension Activities {
  /// Deletes what one provider, or all, brought in for the caller; what other providers reported stays ([IM-11]).
  package func deleteImportedData(
    _ call: DeleteImportedDataRequest, _ context: CallContext
  ) async throws -> DeleteImportedDataResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    if !call.all, call.provider.isEmpty {
      bad.add("provider", "Name a provider, or all of them", ImporterReason.providerRequired)
    }
    try bad.check()
    let provider = call.all ? nil : call.provider
    return try await store.inTurn(of: user) {
      try await idempotency.execute(call, context.requestKey(requestID)) { tx in
        let (deleted, changed) = try await store.deleteAll(by: provider, of: user, in: tx)
        return DeleteImportedDataResponse(deletedActivities: Int32(deleted), changedActivities: Int32(changed))
      }
    }
  }
}
