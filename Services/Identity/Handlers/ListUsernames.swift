import FieldViolations
import Identifiers
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Directory {
  /// Lists a page of usernames, for services that have missed events ([ID-22], [C-5]).
  package func listUsernames(
    _ call: ListUsernamesRequest, _ context: CallContext
  ) async throws -> ListUsernamesResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: UserID.self)
    try bad.check()
    let found = try await database.rows(UsersAfter(after: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListUsernamesResponse(
      users: shown.map { NamedUser(userID: $0.id.description, username: $0.username) }, nextPageToken: next)
  }
}
