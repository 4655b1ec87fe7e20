import FieldViolations
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Invitations {
  /// Lists a page of the open invitations to the caller, the latest first ([ID-44], [C-5]).
  package func listInvitations(
    _ call: ListInvitationsRequest, _ context: CallContext
  ) async throws -> ListInvitationsResponse {
    let invitee = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: InvitationID.self)
    try bad.check()
    let found = try await database.rows(
      InvitationsOf(userID: invitee, before: page.after, lapsedBefore: lapse, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.invitation.invitationID }
    return ListInvitationsResponse(
      invitations: shown.map { GroupInvitation($0.invitation, to: $0.group, for: invitee) }, nextPageToken: next)
  }
}
