import FieldViolations
import Identifiers
import IdentityStore
import TTRPC
import TandemIdentity

extension Directory {
  /// Returns those of some users who have a group in common with a user ([ID-44]).
  package func findFriends(_ call: FindFriendsRequest, _ context: CallContext) async throws -> FindFriendsResponse {
    var bad = Violations()
    let user = bad.require("user_id", UserID(call.userID), "This is not the id of a user", IdentityReason.userIDInvalid)
    let others = Self.userIDs(call.otherUserIds, "other_user_ids", &bad)
    let id = try bad.all(user)
    let friends = Set(try await database.rows(FriendsAmong(userID: id, others: others)))
    return FindFriendsResponse(friendUserIds: others.filter { friends.contains($0) }.map(\.description))
  }
}
