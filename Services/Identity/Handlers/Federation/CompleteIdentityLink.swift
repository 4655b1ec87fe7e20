import FieldViolations
import Idempotency
import Identifiers
import OAuth2
import TTRPC
import TandemIdentity

extension FederatedLogins {
  /// Links the identity of a user who comes back from a provider to the account that started the attempt ([ID-12]).
  package func completeIdentityLink(
    _ call: CompleteIdentityLinkRequest, _ context: CallContext
  ) async throws -> LinkedIdentity {
    let account = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let key = context.requestKey(requestID)
    if let first: LinkedIdentity = try await idempotency.firstAnswer(to: call, key) { return first }
    let answer = AuthorizationAnswer(code: call.code, issuer: call.issuer, error: call.error)
    guard let user = try await user(of: answer, state: call.state, by: .user(account)) else {
      if let first: LinkedIdentity = try await idempotency.firstAnswer(to: call, key) { return first }
      throw Status.attemptInvalid
    }
    return try await idempotency.execute(call, key) { tx in try await link(user, to: account, context, tx) }
  }
}
