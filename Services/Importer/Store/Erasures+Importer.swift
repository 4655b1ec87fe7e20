import AccountDeletions
import Logging
import Postgres

extension Erasures {
  /// Removes what users brought in who deleted their accounts ([C-9]): reports with their tracks first, then what is small.
  package static func ofRecords(in database: Database, logger: Logger) -> Erasures {
    Erasures(in: database, logger: logger) { tx in
      guard let user = try await tx.first(DueErasure()) else { return false }
      // Nothing is remembered of a user who has no connections any more.
      let sources = DeleteSomeSources(of: user, by: nil)
      guard try await tx.rows(sources).isEmpty else { return true }
      var left = RecordPart.rows
      left -= Int64(try await tx.rows(EraseSomeActivities(userID: user, limit: left)).count)
      left -= Int64(try await tx.rows(DeleteSomeSteps(userID: user, provider: nil, limit: left)).count)
      left -= Int64(try await tx.rows(DeleteSomeSleeps(userID: user, provider: nil, limit: left)).count)
      left -= Int64(try await tx.rows(DeleteSomeWeights(userID: user, provider: nil, limit: left)).count)
      left -= Int64(try await tx.rows(EraseSomeDeletedActivities(userID: user, limit: left)).count)
      if left > 0 { try await tx.execute(EndErasure(userID: user)) }
      return true
    }
  }
}
