import FieldViolations
import IdentityDomain
import IdentityStore
import TTRPC
import TandemIdentity

extension Groups {
  /// Returns one of the caller's groups ([ID-40]).
  package func getGroup(_ call: GetGroupRequest, _ context: CallContext) async throws -> Group {
    let member = try context.userID
    var bad = Violations()
    let named = bad.groupID("group_id", call.groupID)
    let id = try bad.all(named)
    guard let group = try await database.first(GroupForMember(groupID: id, userID: member)) else {
      throw GroupRefusal.notAMember
    }
    return Group(group)
  }
}
