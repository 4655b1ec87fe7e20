import CatalogStore
import Identifiers
import Postgres
import TTRPC

extension Transaction {
  /// The number of a change that the transaction is about to make to things of the caller's own; locks the caller's row.
  ///
  /// - Throws: `limit` where the user has as many as anybody can have; `notAUser` for somebody who left.
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
