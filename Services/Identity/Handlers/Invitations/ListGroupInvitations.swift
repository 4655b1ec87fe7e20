import FieldViolations
import IdentityDomain
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Invitations {
  /// Lists a page of the open invitations to one of the caller's groups, the latest first ([ID-44], [C-5]).
  package func listGroupInvitations(
    _ call: ListGroupInvitationsRequest, _ context: CallContext
  ) async throws -> ListGroupInvitationsResponse {
    let viewer = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: InvitationID.self)
    let named = bad.groupID("group_id", call.groupID)
    let group = try bad.all(named)
    let found = try await database.rows(
      InvitationsToGroup(
        groupID: group, before: page.after, lapsedBefore: lapse, viewerID: viewer, limit: page.limit))
    // The result is empty for a viewer who is not a member, and after the last page.
    if found.isEmpty, try await database.first(MembershipOf(userID: viewer, groupID: group)) == nil {
      throw GroupRefusal.notAMember
    }
    let (shown, next) = try page.cut(found) { $0.invitation.invitationID }
    return ListGroupInvitationsResponse(
      invitations: shown.map { GroupInvitation($0.invitation, to: $0.group, for: viewer) }, nextPageToken: next)
  }
}
