import Ambient
import IdentityStore
import Logging
import OAuth2
import Postgres
import Repetition
import ServiceLifecycle

/// Removes what nobody can use any more: lapsed accounts ([ID-1]) and reservations ([ID-22]), expired tokens and sessions, notifications and deliveries that nobody
/// looks up. Seals push tokens that are not sealed with the current key.
///
/// Nothing depends on its being prompt: what has expired is refused, and a lapsed name is free, whether or not it came by.
package struct Sweeper: Service {
  private let database: Database
  private let pushTokens: PushTokens
  private let clock: any WallClock
  private let logger: Logger

  private static let interval: Duration = .seconds(600)
  /// Rows removed at a time: few enough that nobody waits for their locks.
  private static let batch = 500

  /// Sweeps `database`.
  package init(database: Database, pushTokens: PushTokens, clock: any WallClock, logger: Logger) {
    self.database = database
    self.pushTokens = pushTokens
    self.clock = clock
    self.logger = logger
  }

  /// Sweeps every ten minutes until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "a sweep did not end") { _ in try await sweep() }
  }

  /// Removes all there is to remove now.
  package func sweep() async throws {
    let now = clock.now
    try await removeAll(DeleteLapsedAccounts(now: now, limit: Self.batch))
    try await removeAll(DeleteLapsedReservations(now: now, limit: Self.batch))
    try await removeAll(DeleteExpiredVerifications(now: now, limit: Self.batch))
    try await removeAll(DeleteEndedSessions(now: now, limit: Self.batch))
    try await removeAll(DeleteOldVerificationRequests(now: now, limit: Self.batch))
    try await removeAll(DeleteSettledDeliveries(now: now, limit: Self.batch))
    try await removeAll(DeleteOldNotifications(now: now, limit: Self.batch))
    try await removeAll(DeleteExpiredChallenges(now: now, limit: Self.batch))
    try await removeAll(DeleteExpiredAttempts(now: now, limit: Self.batch))
    try await removeAll(DeleteExpiredThrottles(now: now, limit: Self.batch))
    try await removeAll(DeleteExpiredResets(now: now, limit: Self.batch))
    try await removeAll(DeleteOldSecurityEvents(now: now, limit: Self.batch))
    let unopened = try await pushTokens.sealAll(in: database)
    if unopened > 0 {
      logger.error(
        "push tokens were sealed with a key that is not there any more", metadata: ["devices": "\(unopened)"])
    }
  }

  private func removeAll(_ batch: some Statement) async throws {
    while try await database.write(batch).count == Self.batch { try Task.checkCancellation() }
  }
}
