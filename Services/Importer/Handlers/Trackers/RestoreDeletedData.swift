import FieldViolations
import Idempotency
import ImporterOperations
import TTRPC
import TandemImporter

extension Trackers {
  /// Forgets what the user has deleted here of a tracker, and starts an import that brings it back ([IM-11]).
  package func restoreDeletedData(_ call: RestoreDeletedDataRequest, _ context: CallContext) async throws -> Import {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let provider = try operations.provider(call.provider)
    try await operations.requireOpen(provider)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      Import(try await operations.restoreDeletedData(of: user, at: provider, tx))
    }
  }
}
