import Environment
import Cryptography
import FieldViolations
import Identifiers
import IdentityStore
import Pagination
import Postgres
import TTRPC
import TandemIdentity

/// Methods for other services to look up users; one file for each method, this one for the first.
package struct Directory: DirectoryService {
  let database: Database
  let pages: Pages

  /// - Parameter seal: for page tokens ([C-5]).
  package init(database: Database, environment: Environment, seal: Seal) {
    self.database = database
    pages = Pages(seal: seal, clock: environment.clock)
  }
}

extension Directory {
  private static let maxCount = 1_000

  /// Returns those of some ids whose accounts were deleted ([C-9]). Only recorded deletions count; a missing account
  /// proves nothing.
  package func findDeletedAccounts(
    _ call: FindDeletedAccountsRequest, _ context: CallContext
  ) async throws -> FindDeletedAccountsResponse {
    var bad = Violations()
    let ids = Self.userIDs(call.userIds, "user_ids", &bad)
    try bad.check()
    let deleted = Set(try await database.rows(DeletedAccounts(userIDs: ids)))
    return FindDeletedAccountsResponse(
      deletedUserIds: ids.filter { deleted.contains($0) }.map(\.description))
  }

  /// Parses a list of 1 to 1,000 ids of users from a field.
  static func userIDs(_ texts: [String], _ field: String, _ bad: inout Violations) -> [UserID] {
    if texts.isEmpty { bad.add(field, "Name the accounts", IdentityReason.userIdsRequired) }
    if texts.count > maxCount { bad.add(field, "There may be 1,000 at most", IdentityReason.tooManyUserIds) }
    let ids = texts.prefix(maxCount).compactMap { UserID($0) }
    if ids.count != min(texts.count, maxCount) {
      bad.add(field, "One of them is no UUID", IdentityReason.userIDInvalid)
    }
    return ids
  }
}
