import CatalogOperations
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
      let token = SecretToken(randomness: environment.randomness)
      let share = try await operations.shareWorkout(id, by: owner, secretHash: token.hash, tx)
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
