import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension Operators {
  /// Lists a page of the accounts that match a text: the one with this e-mail address, or those whose usernames begin
  /// with it.
  package func findUsers(_ call: FindUsersRequest, _ context: CallContext) async throws -> FindUsersResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: String.self, UserID.self)
    let now = environment.clock.now
    if let email = EmailAddress(call.query) {
      try bad.check()
      let found = try await database.rows(UserByEmail(now: now, emailKey: email.key))
      return FindUsersResponse(users: found.map { TandemIdentity.UserRecord($0) })
    }
    let named = bad.require("query", UsernamePrefix(call.query), UsernamePrefix.refusal, IdentityReason.queryInvalid)
    let prefix = try bad.all(named)
    let found = try await database.rows(
      UsersByPrefix(
        now: now, prefix: prefix.key, after: page.after?.0 ?? "", afterID: page.after?.1, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.username.lowercased(), $0.id) }
    return FindUsersResponse(users: shown.map { TandemIdentity.UserRecord($0) }, nextPageToken: next)
  }

  package func getUser(_ call: GetUserRequest, _ context: CallContext) async throws -> TandemIdentity.UserRecord {
    var bad = Violations()
    let named = bad.require("user_id", UserID(call.userID), "This is no user id", IdentityReason.userIDInvalid)
    let id = try bad.all(named)
    guard let found = try await database.first(UserByID(now: environment.clock.now, userID: id)) else {
      throw Status.noSuchUser
    }
    return TandemIdentity.UserRecord(found)
  }
}

extension TandemIdentity.UserRecord {
  /// The account as operators see it.
  init(_ stored: IdentityStore.UserRecord) {
    self.init(
      userID: stored.id.description, username: stored.username, email: stored.email,
      registerTime: stored.registeredAt.timestamp, verifyTime: stored.verifiedAt?.timestamp,
      lockTime: stored.lockedAt?.timestamp, sessionCount: stored.sessions, lastUseTime: stored.lastUsedAt?.timestamp)
  }
}
