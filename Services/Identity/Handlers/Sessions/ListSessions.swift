import FieldViolations
import Identifiers
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Lists a page of the caller's sessions, the latest login first ([ID-7], [C-5]).
  package func listSessions(_ call: ListSessionsRequest, _ context: CallContext) async throws -> ListSessionsResponse {
    let (owner, current) = (try context.userID, try context.loginSessionID)
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, SessionID.self)
    try bad.check()
    let found = try await database.rows(
      SessionsBefore(userID: owner, before: page.after, limit: page.limit, now: environment.clock.now))
    let (shown, next) = try page.cut(found) { ($0.createdAt, $0.id) }
    return ListSessionsResponse(sessions: shown.map { Session($0, seenFrom: current) }, nextPageToken: next)
  }
}

extension Session {
  /// The session as its owner sees it when calling from session `current`; `nil` for operators, who call from none of them.
  init(_ stored: SessionsBefore.Row, seenFrom current: SessionID?) {
    self.init(
      sessionID: stored.id.description, deviceLabel: stored.deviceLabel, createTime: stored.createdAt.timestamp,
      lastUseTime: stored.lastUsedAt.timestamp, address: stored.address, expireTime: stored.expiresAt.timestamp,
      current: stored.id == current)
  }
}
