import Identifiers
import Jobs
import MatchingStore
import Postgres

extension SessionOperations {
  /// Schedules the job that has all profiles be looked up again ([MA-3]).
  ///
  /// - Parameter last: the user whose profile was forgotten last; `nil` to begin.
  package func scheduleForgetting(after last: UserID? = nil, _ tx: Transaction) async throws {
    let payload = last.map { "\($0)" } ?? ""
    try await tx.schedule(Job(.forgetProfiles, payload, at: environment.clock.now, key: "users"), with: jobs)
  }

  /// Has the profiles of some users be looked up again, in the order of the users' ids ([MA-3]).
  ///
  /// - Returns: the last of these users; `nil` after the last of all.
  package func forgetProfiles(after user: UserID, limit: Int64, _ tx: Transaction) async throws -> UserID? {
    try await tx.first(ForgetProfiles(afterUserID: user, limit: limit))
  }
}
