import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Ends journeys that their users forgot, so that they can be deleted ([TR-13]). Those whom another transaction has locked are left.
  ///
  /// - Parameter most: so many at most, as the groups that saw them are locked.
  /// - Returns: how many there were.
  package func endForgottenJourneys(at now: Instant, most: Int64, _ tx: Transaction) async throws -> Int64 {
    let users = try await tx.rows(ForgottenTravellers(now: now, limit: most))
    guard !users.isEmpty else { return 0 }
    var loaded = try await trackers.locked(users, tx)
    for place in loaded.indices { loaded[place].endForgottenJourney() }
    try await trackers.store(loaded, tx)
    return Int64(users.count)
  }
}
