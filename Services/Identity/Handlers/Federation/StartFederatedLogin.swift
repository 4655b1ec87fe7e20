import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityFederation
import OAuth2
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension FederatedLogins {
  /// Returns the URL to send the browser of a user to who wants to log in ([ID-12]).
  package func startFederatedLogin(
    _ call: StartFederatedLoginRequest, _ context: CallContext
  ) async throws -> StartFederatedLoginResponse {
    let wish = try start(call.providerID, call.redirectURI, call.requestID)
    let key = context.requestKey(wish.requestID)
    if let first: StartFederatedLoginResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let pages = try await server(for: wish, context)
    return try await idempotency.execute(call, key) { tx in
      let handle = SecretToken(randomness: environment.randomness)
      let proof: RequestedProof = call.proveAgain ? .new : .remembered
      let secrets = try await attempts.begin(
        for: .browser(handleHash: handle.hash), at: wish.provider.id, redirectURI: wish.redirectURI, proof: proof,
        in: tx)
      return StartFederatedLoginResponse(
        authorizationURL: wish.provider.authorizationURL(
          at: pages, secrets, redirectURI: wish.redirectURI, proof: proof),
        handle: handle.text, expireTime: (environment.clock.now + AuthorizationAttempts.lifetime).timestamp)
    }
  }

  /// A validated request to log in or to link at a provider.
  struct Start {
    let provider: FederatedProvider
    let redirectURI: String
    let requestID: UUID7?
  }

  /// Validates the fields that both kinds of request share.
  func start(_ providerID: String, _ redirectURI: String, _ requestID: String) throws -> Start {
    var bad = Violations()
    let requestID = bad.requestID(requestID)
    // Only redirect URIs in the settings are allowed, compared exactly: the provider sends codes there.
    let allowed = redirectURI.isEmpty ? redirectURIs.first : redirectURIs.first { $0 == redirectURI }
    let uri = bad.require(
      "redirect_uri", allowed, "The redirect_uri is none of the service's", IdentityReason.redirectURIUnknown)
    let redirectURI = try bad.all(uri)
    guard let provider = providers.first(where: { $0.id == providerID }) else { throw Status.providerNotFound }
    return Start(provider: provider, redirectURI: redirectURI, requestID: requestID)
  }

  /// Counts the attempt, and looks up the provider's endpoints.
  func server(for wish: Start, _ context: CallContext) async throws -> AuthorizationServer {
    try await throttles.count([.address(of: context, .federatedStart)])
    do { return try await wish.provider.server() } catch {
      note(error, of: wish.provider)
      throw Status.providerUnavailable(error)
    }
  }
}
