import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
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
      let now = environment.clock.now
      try await tx.enter(user, at: now)
      let session = try await locked(id, tx)
      try session.checkOwner(user)
      guard session.partnerID == nil else { throw SessionRefusal.taken }
      guard session.slot.start > now else { throw SessionRefusal.started }
      let token = SecretToken(randomness: environment.randomness)
      let insert = InsertSessionShare(
        shareID: environment.newID(), sessionID: id, userID: user, tokenHash: token.hash, now: now)
      guard let share = try await tx.first(insert) else {
        throw Status(MatchingReason.tooManyShares, "The session has as many links as any can have; revoke one")
      }
      return ShareSessionResponse(share: SessionShare(share), token: token.text)
    }
  }
}

extension StoredSession {
  /// Refuses whoever may not share it: to those who take no part in it, it does not exist.
  func checkOwner(_ user: UserID) throws {
    guard facts.hasParticipant(user), facts.state != .cancelled else { throw SessionRefusal.noSuchSession }
    guard ownerID == user else { throw Status(MatchingReason.notTheOwner, "The session is another user's") }
  }
}

extension SessionShare {
  init(_ stored: StoredSessionShare) {
    self.init(
      shareID: stored.id.description, sessionID: stored.sessionID.description, createTime: stored.createdAt.timestamp)
  }
}

extension Status {
  /// The link was revoked, or never existed, or nobody can join its session.
  static let noSuchShare = Status(MatchingReason.shareNotFound, "The link leads nowhere")
}
