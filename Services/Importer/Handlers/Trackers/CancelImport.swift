import FieldViolations
import Idempotency
import ImporterOperations
import TTRPC
import TandemImporter

extension Trackers {
  /// Cancels an import that has not ended ([IM-4]).
  package func cancelImport(_ call: CancelImportRequest, _ context: CallContext) async throws -> Import {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let parsed = bad.importID(call.importID)
    let id = try bad.all(parsed)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      Import(try await operations.cancelImport(id, of: user, tx))
    }
  }
}
