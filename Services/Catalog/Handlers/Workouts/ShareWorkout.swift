import CatalogStore
import Cryptography
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog
import Timestamps

extension Workouts {
  /// Creates a link by which anyone can read one of the caller's workouts ([CA-15]). Its secret is in this answer only.
  package func shareWorkout(_ call: ShareWorkoutRequest, _ context: CallContext) async throws -> ShareWorkoutResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.workoutID(call.workoutID)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      _ = try await nextChange(.keeps, by: owner, tx)
      _ = try await ownWorkout(id, of: owner, "", tx)
      let token = SecretToken(randomness: environment.randomness)
      let insert = InsertShare(
        shareID: environment.newID(), workoutID: id, ownerID: owner, tokenHash: token.hash, now: environment.clock.now)
      guard let share = try await tx.first(insert) else { throw Status.tooManyShares }
      return ShareWorkoutResponse(share: WorkoutShare(share), token: token.text)
    }
  }
}

extension WorkoutShare {
  init(_ stored: StoredShare) {
    self.init(
      shareID: stored.id.description, workoutID: stored.workoutID.description, createTime: stored.createdAt.timestamp)
  }
}

extension Status {
  static let tooManyShares = Status(
    CatalogReason.tooManyShares, "The workout has as many links as any can have; revoke one")
}

/// The link of a shared workout was revoked, or never existed.
struct NoSuchShare: StatusConvertible {
  var status: Status { Status(CatalogReason.shareNotFound, "The link leads nowhere") }
}
