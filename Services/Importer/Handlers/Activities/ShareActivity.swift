import FieldViolations
import Idempotency
import ImporterOperations
import ImporterStore
import TTRPC
import TandemImporter
import Timestamps

extension Activities {
  /// Creates a link by which anyone can read the figures of one of the caller's activities ([CA-15]). Its secret is in this answer only.
  package func shareActivity(_ call: ShareActivityRequest, _ context: CallContext) async throws -> ShareActivityResponse
  {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let activityID = bad.activityID(call.activityID)
    let id = try bad.all(activityID)
    let execution = IdempotencyStore.Execution(validateOnly: call.validateOnly)
    return try await operations.inTurn(of: user) {
      try await idempotency.execute(call, context.requestKey(requestID), execution) { tx in
        let (share, token) = try await operations.shareActivity(id, of: user, tx)
        return ShareActivityResponse(share: ActivityShare(share), token: token.text)
      }
    }
  }
}

extension ActivityShare {
  init(_ stored: StoredActivityShare) {
    self.init(
      shareID: stored.id.description, activityID: stored.activityID.description,
      createTime: stored.createdAt.timestamp)
  }
}
