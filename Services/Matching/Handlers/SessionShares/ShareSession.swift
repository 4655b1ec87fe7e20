import Cryptography
import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import MatchingStore
import TTRPC
import TandemMatching
import Timestamps

extension Sessions {
  /// Creates a link by which anyone can read one of the caller's unmatched sessions ([CA-15]). Its secret is in this answer only.
  package func shareSession(_ call: ShareSessionRequest, _ context: CallContext) async throws -> ShareSessionResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let token = SecretToken(randomness: environment.randomness)
      let share = try await operations.shareSession(id, by: user, secretHash: token.hash, tx)
      return ShareSessionResponse(share: SessionShare(share), token: token.text)
    }
  }
}

extension SessionShare {
  init(_ stored: StoredSessionShare) {
    self.init(
      shareID: stored.id.description, sessionID: stored.sessionID.description, createTime: stored.createdAt.timestamp)
  }
}
