import FieldViolations
import Identifiers
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Safety {
  /// Lists a page of the users whom the caller has blocked, the latest first ([ID-26], [C-5]).
  package func listBlockedUsers(
    _ call: ListBlockedUsersRequest, _ context: CallContext
  ) async throws -> ListBlockedUsersResponse {
    let blocker = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, UserID.self)
    try bad.check()
    let found = try await database.rows(
      BlocksBefore(blockerID: blocker, beforeTime: page.after?.0, beforeID: page.after?.1, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.blockedAt, $0.userID) }
    return ListBlockedUsersResponse(blockedUsers: shown.map { BlockedUser($0) }, nextPageToken: next)
  }
}
