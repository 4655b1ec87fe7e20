import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Notices what is due of some users: silence, stops, and promised times that have passed ([TR-8] to [TR-10]). Those whom another
  /// transaction has locked are left for the next look.
  ///
  /// - Parameters:
  ///   - since: since when positions could arrive.
  ///   - most: so many users at most.
  /// - Returns: how many there were.
  package func lookAfterUsers(
    at now: Instant, servingSince since: Instant, most: Int64, _ tx: Transaction
  ) async throws -> Int {
    let users = try await tx.rows(DueTrackers(now: now, limit: most))
    guard !users.isEmpty else { return 0 }
    var loaded = try await trackers.locked(users.sorted(), tx)
    for place in loaded.indices { loaded[place].passTime(to: now, servingSince: since) }
    try await trackers.store(loaded, tx)
    return users.count
  }
}
