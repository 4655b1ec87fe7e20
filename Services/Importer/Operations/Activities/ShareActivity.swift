import Cryptography
import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension ActivityOperations {
  /// Creates a link by which the figures of one of a user's activities can be read by all who have it ([CA-15]).
  ///
  /// - Returns: the link with its secret, of which a digest is stored.
  /// - Throws: `ActivityRefusal`.
  package func shareActivity(
    _ activity: ActivityID, of user: UserID, _ tx: Transaction
  ) async throws -> (share: StoredActivityShare, token: SecretToken) {
    guard try await tx.first(LockActivity(activityID: activity, userID: user)) != nil else {
      throw ActivityRefusal.noSuchActivity
    }
    let token = SecretToken(randomness: environment.randomness)
    let insert = InsertActivityShare(
      shareID: environment.newID(), activityID: activity, userID: user, tokenHash: token.hash,
      now: environment.clock.now)
    guard let share = try await tx.first(insert) else { throw ActivityRefusal.tooManyShares }
    return (share, token)
  }
}
