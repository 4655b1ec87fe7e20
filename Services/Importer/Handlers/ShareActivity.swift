import Cryptography
import FieldViolations
import Idempotency
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
    return try await store.inTurn(of: user) {
      try await idempotency.execute(call, context.requestKey(requestID), execution) { tx in
        guard try await tx.first(LockActivity(activityID: id, userID: user)) != nil else {
          throw Status.noSuchActivity
        }
        let token = SecretToken(randomness: environment.randomness)
        let insert = InsertActivityShare(
          shareID: environment.newID(), activityID: id, userID: user, tokenHash: token.hash,
          now: environment.clock.now)
        guard let share = try await tx.first(insert) else {
          throw Status(ImporterReason.tooManyShares, "The activity has as many links as any can have; revoke one")
        }
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

extension Status {
  /// The link was revoked, or never existed, or its activity is gone.
  static let noSuchShare = Status(ImporterReason.shareNotFound, "The link leads nowhere")
}
