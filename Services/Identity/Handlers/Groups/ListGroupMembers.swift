import FieldViolations
import IdentityDomain
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity
import Timestamps

extension Groups {
  /// Lists a page of the members of a group that the caller is in or invited to, the longest membership first ([ID-41],
  /// [ID-44], [C-5]).
  package func listGroupMembers(
    _ call: ListGroupMembersRequest, _ context: CallContext
  ) async throws -> ListGroupMembersResponse {
    let viewer = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: MembershipID.self)
    let named = bad.groupID("group_id", call.groupID)
    let id = try bad.all(named)
    let lapse = Invitation.lapse(at: environment.clock.now)
    let found = try await database.rows(
      MembersAfter(groupID: id, after: page.after, viewerID: viewer, lapsedBefore: lapse, limit: page.limit))
    // The result is empty for a viewer who is neither a member nor invited, and after the last page.
    if found.isEmpty,
      try await database.first(SeesMembers(groupID: id, viewerID: viewer, lapsedBefore: lapse)) != true
    {
      throw GroupRefusal.notAMember
    }
    let (shown, next) = try page.cut(found) { $0.membershipID }
    return ListGroupMembersResponse(members: shown.map { GroupMember($0) }, nextPageToken: next)
  }
}

extension GroupMember {
  /// The member as the others see them.
  init(_ stored: StoredMember) {
    self.init(userID: stored.userID.description, username: stored.username, joinTime: stored.joinedAt.timestamp)
  }
}
