import Idempotency
import Identifiers
import IdentityFederation
import OAuth2
import TTRPC
import TandemIdentity
import Timestamps

extension FederatedLogins {
  /// Returns the URL to send the browser of a user to who is logged in and wants to link an identity ([ID-12]).
  package func startIdentityLink(
    _ call: StartIdentityLinkRequest, _ context: CallContext
  ) async throws -> StartIdentityLinkResponse {
    let account = try context.userID
    let wish = try start(call.providerID, call.redirectURI, call.requestID)
    let key = context.requestKey(wish.requestID)
    if let first: StartIdentityLinkResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    try await recentAuthentication.require(context)
    let pages = try await server(for: wish, context)
    return try await idempotency.execute(call, key) { tx in
      let secrets = try await attempts.begin(
        for: .user(account), at: wish.provider.id, redirectURI: wish.redirectURI, in: tx)
      return StartIdentityLinkResponse(
        authorizationURL: wish.provider.authorizationURL(
          at: pages, secrets, redirectURI: wish.redirectURI, proof: .remembered),
        expireTime: (environment.clock.now + AuthorizationAttempts.lifetime).timestamp)
    }
  }
}
