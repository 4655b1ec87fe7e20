import Environment
import Events
import Identifiers
import ImporterDomain
import ImporterStore
import Postgres
import TandemEvents
import Timestamps

/// What the importer does with what users did: activities, which it stores once for each outing ([IM-7], [IM-8]), and days. One use case a
/// file, named by its verb.
///
/// An operation locks, lets the domain decide, stores the decision and publishes it. It takes the transaction of its caller, a call, a webhook or
/// a job, and begins none but for activities that are staged while their file arrives. Changes of one user's records are one after the other: a transaction that calls an operation which changes them runs
/// within ``inTurn(of:patience:_:)``.
package struct ActivityOperations: Sendable {
  let environment: Environment
  let events: Outbox
  package let work: HeavyWork
  package let quota: StorageUse
  private let turns = UserTurns()

  /// - Parameters:
  ///   - work: where what takes long is computed.
  ///   - quota: how much may be stored of a user.
  package init(environment: Environment, events: Outbox, work: HeavyWork, quota: StorageUse) {
    (self.environment, self.events, self.work, self.quota) = (environment, events, work, quota)
  }

  /// Runs a transaction that changes a user's records once no other one of theirs runs; it takes its connection only then.
  ///
  /// - Parameter patience: how long it may have to wait.
  /// - Throws: `RecordsBusy`, or what `body` throws.
  nonisolated(nonsending) package func inTurn<Result>(
    of user: UserID, patience: Duration = .seconds(8), _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result { try await turns.run(for: user, patience: patience, body) }

  func lock(_ user: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(TryLockActivitiesOfUser(userID: user)) == true else { throw RecordsLocked() }
  }

  /// Computes the figures of activities from their sources, and publishes them.
  func refresh(_ activities: [ActivityID], of user: UserID, _ tx: Transaction) async throws {
    guard !activities.isEmpty else { return }
    let ids = Array(Set(activities)).sorted()
    let rows = try await tx.rows(SourcesOfActivities(activityIDs: ids))
    let now = environment.clock.now
    let merged = Dictionary(grouping: rows, by: \.activityID).compactMapValues {
      SourceFigures.merged($0.map { SourceFigures($0.figure, positions: $0.positionCount, samples: $0.sampleCount) })
    }
    let changed = merged.sorted { $0.key < $1.key }
    guard !changed.isEmpty else { return }
    try await tx.rows(each: changed.map { UpdateActivity($0.key, $0.value, now: now) })
    try await events.publish(
      each: changed.map { id, figures in
        ActivityStored(
          activityID: id.description, userID: user.description, startTime: figures.startedAt.timestamp,
          timeZone: figures.timeZone, distanceM: figures.distanceMetres ?? 0)
      }, in: tx)
  }

  func publishRemoved(_ activities: [ActivityID], of user: UserID, _ tx: Transaction) async throws {
    try await events.publish(
      each: activities.sorted().map { ActivityRemoved(activityID: $0.description, userID: user.description) }, in: tx)
  }
}
