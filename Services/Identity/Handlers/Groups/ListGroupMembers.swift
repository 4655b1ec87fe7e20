import FieldViolations
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity
import Timestamps

extension Groups {
  /// A page of who is in a group of the caller's, those first who have been in it the longest ([ID-41], [C-5]).
  package func listGroupMembers(
    _ call: ListGroupMembersRequest, _ context: CallContext
  ) async throws -> ListGroupMembersResponse {
    let viewer = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: MembershipID.self)
    let named = bad.groupID("group_id", call.groupID)
    let id = try bad.all(named)
    let found = try await database.rows(MembersAfter(of: id, for: viewer, after: page.after, limit: page.limit))
    // Nobody is found by who is no member, nor behind the last page.
    if found.isEmpty, try await database.first(MembershipOf(viewer, in: id)) == nil { throw Status.notAMember }
    let (shown, next) = try page.cut(found) { $0.membership }
    return ListGroupMembersResponse(members: shown.map { GroupMember($0) }, nextPageToken: next)
  }
}

extension GroupMember {
  /// The member as the others see them.
  init(_ stored: StoredMember) {
    self.init(
      userID: stored.user.id.description, username: stored.user.username, joinTime: stored.joinedAt.timestamp)
  }
}
