import AccountDeletions
import Logging
import Postgres

extension Erasures {
  /// Removes books, comments, logs and workouts of users who deleted their accounts ([C-9]).
  package static func ofCatalog(in database: Database, logger: Logger) -> Erasures {
    Erasures(in: database, logger: logger) { tx in
      guard let user = try await tx.first(DueErasure()) else { return false }
      let parts: [Int] = [
        try await tx.rows(EraseCommentsOnBooks(userID: user, limit: rows)).count,
        try await tx.rows(EraseComments(userID: user, limit: rows)).count,
      ]
      guard parts.allSatisfy({ $0 == 0 }) else { return true }
      let large: [Int] = [
        try await tx.rows(EraseBooks(userID: user, limit: books)).count,
        try await tx.rows(EraseWorkoutLogs(userID: user, limit: logs)).count,
        try await tx.rows(EraseWorkouts(userID: user, limit: workouts)).count,
      ]
      guard large.allSatisfy({ $0 == 0 }) else { return true }
      let small: [Int] = [
        try await tx.rows(EraseDeletedWorkoutLogs(userID: user, limit: rows)).count,
        try await tx.rows(ErasePastLoans(userID: user, limit: rows)).count,
        try await tx.rows(EraseRatings(userID: user, limit: rows)).count,
      ]
      if small.allSatisfy({ $0 == 0 }) { try await tx.execute(EndErasure(userID: user)) }
      return true
    }
  }

  /// Rows of what is small, of one statement.
  private static let rows: Int64 = 5_000
  /// Books, each with photographs in several sizes.
  private static let books: Int64 = 20
  /// Logs, each with 200 sets at most.
  private static let logs: Int64 = 50
  /// Workouts, each with 50 entries at most.
  private static let workouts: Int64 = 100
}
