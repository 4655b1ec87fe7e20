import FieldViolations
import Identifiers
import IdentityStore
import TTRPC
import TandemIdentity
import Timestamps

extension Directory {
  /// Returns the gender and the level of some users, for matching ([MA-3]).
  package func findTraits(_ call: FindTraitsRequest, _ context: CallContext) async throws -> FindTraitsResponse {
    var bad = Violations()
    let ids = Self.userIDs(call.userIds, "user_ids", &bad)
    try bad.check()
    let found = try await database.rows(TraitsOfUsers(userIDs: ids))
    return FindTraitsResponse(
      traits: found.map { row in
        Traits(
          userID: row.userID.description, gender: row.gender.wire, level: row.level.wire,
          updateTime: row.updatedAt.timestamp)
      })
  }
}
