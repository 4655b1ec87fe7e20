import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

/// The users of a transaction are seen by more groups than may be locked and told together.
package struct TooManyChanges: Error {}

extension TrackerOperations {
  /// Changes that groups see by one transaction, of several users: each user is seen by up to 200 groups.
  private static let maxChanges = 5_000

  /// Stores reports of users together: a few statements, however many there are ([TR-2]).
  ///
  /// - Returns: what becomes of each, in their order. One whose groups are refused is not stored, and does not affect the others.
  /// - Throws: ``TooManyChanges``, of several users; `noAccount` if a user has none.
  package func storeReports(
    _ reports: [UserReport], _ tx: Transaction
  ) async throws -> [Result<ReportCounts, ReportedGroupsRefusal>] {
    let users = Set(reports.map(\.user)).sorted()
    var loaded = try await trackers.locked(users, tx)
    let seen = loaded.reduce(0) { count, tracker in count + tracker.groups.count { $0.status.isShared } }
    guard users.count == 1 || seen <= Self.maxChanges else { throw TooManyChanges() }
    let places = Dictionary(uniqueKeysWithValues: loaded.indices.map { (loaded[$0].userID, $0) })
    let now = environment.clock.now
    let counts: [Result<ReportCounts, ReportedGroupsRefusal>] = try reports.map { reported in
      guard let place = places[reported.user] else { throw TrackingFailure.noAccount }
      let report = reported.report
      if let refusal = loaded[place].refusal(of: report) { return .failure(refusal) }
      return .success(loaded[place].report(report.points, to: report.groupIDs, at: now, arrivalWithin: arrivalRadius))
    }
    try await trackers.store(loaded, tx)
    return counts
  }
}
