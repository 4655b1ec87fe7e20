import FieldViolations
import Idempotency
import ImporterOperations
import TTRPC
import TandemImporter

extension Trackers {
  /// Starts an import of what is new ([IM-4]).
  package func startImport(_ call: StartImportRequest, _ context: CallContext) async throws -> Import {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let provider = try operations.provider(call.provider)
    try await operations.requireOpen(provider)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      Import(try await operations.startImport(of: user, at: provider, tx))
    }
  }
}
