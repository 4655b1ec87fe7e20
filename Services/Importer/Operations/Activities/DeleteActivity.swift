import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension ActivityOperations {
  /// Deletes one activity of a user with all its sources, which providers that are connected do not bring back ([IM-11]).
  ///
  /// - Throws: `ActivityRefusal`.
  package func deleteActivity(_ activity: ActivityID, of user: UserID, _ tx: Transaction) async throws {
    try await lock(user, tx)
    try await tx.execute(RememberDeletedActivity(now: environment.clock.now, activityID: activity, userID: user))
    guard try await tx.first(DeleteActivity(activityID: activity, userID: user)) != nil else {
      throw ActivityRefusal.noSuchActivity
    }
    try await publishRemoved([activity], of: user, tx)
  }
}
