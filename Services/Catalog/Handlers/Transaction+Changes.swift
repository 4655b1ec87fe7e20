import CatalogStore
import Identifiers
import Postgres
import TTRPC

extension Transaction {
  /// The number of the next change of the caller's things, for this transaction; locks the caller's row.
  ///
  /// - Throws: `limit` if the user has the most that are allowed; `notAUser` for a user who has deleted the account.
  func nextChange<Things: OwnedThings>(
    of things: Things.Type, _ effect: CountEffect, by user: UserID, atLimit limit: Status
  ) async throws -> Int64 {
    do {
      guard let number = try await first(NextChange<Things>(of: user, effect)) else { throw Status.notAUser }
      return number
    } catch let error as PostgresError where error.constraint == Things.limitConstraint {
      throw limit
    }
  }
}
