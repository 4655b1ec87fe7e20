import FieldViolations
import Identifiers
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity
import Timestamps

extension Directory {
  /// Lists a page of the memberships of all groups, for services that have missed events ([ID-43], [C-5]).
  package func listMemberships(
    _ call: ListMembershipsRequest, _ context: CallContext
  ) async throws -> ListMembershipsResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: GroupID.self, UserID.self)
    try bad.check()
    let found = try await database.rows(
      MembershipsAfter(afterGroupID: page.after?.0, afterUserID: page.after?.1, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.groupID, $0.userID) }
    return ListMembershipsResponse(
      memberships: shown.map {
        TandemIdentity.Membership(
          groupID: $0.groupID.description, groupName: $0.name, userID: $0.userID.description,
          membershipID: $0.membershipID.description, joinTime: $0.joinedAt.timestamp)
      }, nextPageToken: next)
  }
}
