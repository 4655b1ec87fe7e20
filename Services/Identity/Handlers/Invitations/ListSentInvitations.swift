import FieldViolations
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Invitations {
  /// Lists a page of the open invitations that the caller has sent, the latest first ([ID-44], [C-5]).
  package func listSentInvitations(
    _ call: ListSentInvitationsRequest, _ context: CallContext
  ) async throws -> ListSentInvitationsResponse {
    let inviter = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: InvitationID.self)
    try bad.check()
    let found = try await database.rows(
      InvitationsFrom(userID: inviter, before: page.after, lapsedBefore: lapse, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.invitation.invitationID }
    return ListSentInvitationsResponse(
      invitations: shown.map { GroupInvitation($0.invitation, to: $0.group, for: inviter) }, nextPageToken: next)
  }
}
