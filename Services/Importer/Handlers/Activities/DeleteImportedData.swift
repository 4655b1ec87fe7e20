import FieldViolations
import Idempotency
import ImporterOperations
import Postgres
import TTRPC
import TandemImporter

extension Activities {
  /// Deletes what one provider, or all, brought in for the caller; what other providers reported stays ([IM-11]).
  ///
  /// It is deleted in parts, so that a call deletes as much as one user may store; one that is interrupted goes on when it is repeated.
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
    let key = context.requestKey(requestID)
    if let first: DeleteImportedDataResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    var deletion = ActivityOperations.Deletion()
    return try await operations.inTurn(of: user) {
      var isLeft = true
      while isLeft {
        // Of a transaction that is undone nothing is counted.
        (isLeft, deletion) = try await database.repeatableTransaction { tx in
          var so = deletion
          return (try await operations.deleteImportedData(by: provider, of: user, &so, tx), so)
        }
      }
      let answer = DeleteImportedDataResponse(
        deletedActivities: Int32(deletion.deleted), changedActivities: Int32(deletion.changed))
      return try await idempotency.execute(call, key) { _ in answer }
    }
  }
}
