import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension ActivityOperations {
  /// Makes a source of a user's activity one of its own ([IM-8]). It stays so: a source that is known keeps its activity when it is imported again.
  ///
  /// - Returns: the new activity.
  /// - Throws: `ActivityRefusal`.
  package func splitActivity(
    _ activity: ActivityID, takingOut source: SourceID, of user: UserID, _ tx: Transaction
  ) async throws -> ActivityID {
    try await lock(user, tx)
    guard try await tx.first(ActivityOfUser(activityID: activity, userID: user)) != nil else {
      throw ActivityRefusal.noSuchActivity
    }
    let sources = try await tx.rows(SourcesOfActivities(activityIDs: [activity]))
    guard let own = sources.first(where: { $0.id == source }) else { throw ActivityRefusal.noSuchSource }
    guard sources.count > 1 else { throw ActivityRefusal.onlySource }
    let new: ActivityID = environment.newID()
    try await tx.execute(
      InsertActivity(
        activityID: new, userID: user, sport: own.figure.sport, startedAt: own.figure.startedAt,
        timeZone: own.figure.timeZone, durationS: own.figure.durationS, title: own.figure.title,
        now: environment.clock.now))
    try await tx.execute(MarkSplitOff(activityID: new))
    try await tx.execute(MoveSource(activityID: new, sourceID: source))
    try await refresh([activity, new], of: user, tx)
    return new
  }
}
