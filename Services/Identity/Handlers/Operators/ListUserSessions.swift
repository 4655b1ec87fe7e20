import FieldViolations
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Operators {
  /// Lists a page of an account's sessions, the latest login first ([ID-7], [C-5]).
  package func listUserSessions(
    _ call: ListUserSessionsRequest, _ context: CallContext
  ) async throws -> ListUserSessionsResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, SessionID.self)
    let named = bad.require("user_id", UserID(call.userID), "This is no user id", IdentityReason.userIDInvalid)
    let owner = try bad.all(named)
    let now = environment.clock.now
    let found = try await database.rows(
      SessionsBefore(userID: owner, before: page.after, limit: page.limit, now: now))
    if found.isEmpty {
      guard try await database.first(UserByID(now: now, userID: owner)) != nil else { throw Status.noSuchUser }
    }
    let (shown, next) = try page.cut(found) { ($0.createdAt, $0.id) }
    return ListUserSessionsResponse(sessions: shown.map { Session($0, seenFrom: nil) }, nextPageToken: next)
  }
}
