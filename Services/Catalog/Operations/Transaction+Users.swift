import CatalogStore
import Identifiers
import Postgres

extension Transaction {
  /// Locks the owners of books and other users, who may be new here, before anything that is stored of several users.
  package func holdUsers(ofBooks books: [BookID], and users: [UserID]) async throws {
    try await execute(HoldUsersOfBooks(bookIDs: books, userIDs: users))
  }

  /// Locks a user's row, which is created if necessary.
  ///
  /// - Throws: `noAccount` for a user who has deleted the account.
  func enter(_ user: UserID) async throws {
    guard try await first(EnterUser(userID: user)) != nil else { throw CatalogFailure.noAccount }
  }

  /// The number of the next change of a user's things, for this transaction; locks the user's row.
  ///
  /// - Throws: `limit` if the user has the most that are allowed; `noAccount` for a user who has deleted the account.
  func nextChange<Change: ChangeStatement>(_ change: Change, atLimit limit: any Error) async throws -> Int64 {
    do {
      guard let number = try await first(change) else { throw CatalogFailure.noAccount }
      return number
    } catch let error as PostgresError where error.constraint == Change.limitConstraint {
      throw limit
    }
  }
}
