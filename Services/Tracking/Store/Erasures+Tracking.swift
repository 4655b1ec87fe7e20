import AccountDeletions
import Identifiers
import Logging
import Postgres

extension Erasures {
  /// Removes paths, journeys, and positions in the logs of groups, of users who deleted their accounts ([C-9]).
  package static func ofTracking(in database: Database, logger: Logger) -> Erasures {
    Erasures(in: database, logger: logger) { tx in
      guard let user = try await tx.rows(DueErasures(limit: 1)).first else { return false }
      let (points, changes, journeys) = try await tx.rows(
        ErasePathPoints(userID: user, limit: rows), EraseGroupChanges(userID: user, limit: rows),
        EraseJourneys(userID: user, limit: rows))
      if points.isEmpty, changes.isEmpty, journeys.isEmpty { try await tx.execute(EndErasures(userIDs: [user])) }
      return true
    }
  }

  /// Rows of one statement.
  private static let rows: Int64 = 5_000
}
