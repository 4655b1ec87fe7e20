import CatalogStore
import Postgres
import TTRPC

extension Transaction {
  /// The number of the next change of the caller's things, for this transaction; locks the caller's row.
  ///
  /// - Throws: `limit` if the user has the most that are allowed; `notAUser` for a user who has deleted the account.
  func nextChange<Change: ChangeStatement>(_ change: Change, atLimit limit: Status) async throws -> Int64 {
    do {
      guard let number = try await first(change) else { throw Status.notAUser }
      return number
    } catch let error as PostgresError where error.constraint == Change.limitConstraint {
      throw limit
    }
  }
}
