import FieldViolations
import Idempotency
import ImporterOperations
import TTRPC
import TandemImporter

extension Trackers {
  /// Ends a connection; its tokens are revoked by a job ([IM-11]).
  package func disconnect(_ call: DisconnectRequest, _ context: CallContext) async throws -> DisconnectResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.disconnect(user, from: call.provider, tx)
      return DisconnectResponse()
    }
  }
}
