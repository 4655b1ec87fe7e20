import FieldViolations
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Groups {
  /// Lists a page of the caller's groups, the oldest first ([ID-40], [C-5]).
  package func listGroups(_ call: ListGroupsRequest, _ context: CallContext) async throws -> ListGroupsResponse {
    let member = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: GroupID.self)
    try bad.check()
    let found = try await database.rows(GroupsOf(userID: member, after: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListGroupsResponse(groups: shown.map { Group($0) }, nextPageToken: next)
  }
}
