import Environment
import IdentityDomain
import OAuth2
import OutboundHTTP

/// An identity provider that users can log in by ([ID-12]).
package struct FederatedProvider: Sendable {
  /// The id that calls name it by, such as `google`.
  package let id: String
  /// The name that users see.
  package let name: String
  private let client: ClientRegistration
  private let outbound: OutboundClient
  private let kind: Kind

  /// The protocol of a provider, with its settings.
  package enum Kind: Sendable {
    /// OpenID Connect.
    case openID(OpenIDProvider, scope: [String], emails: EmailTrust)
    /// OAuth 2.0 with a query for the user's identity.
    case facebook(Facebook)
  }

  /// How the provider's claim that it has verified an address is treated.
  package enum EmailTrust: String, Sendable, CaseIterable, Decodable {
    /// An account with the address is verified at once.
    case trusted
    /// The address is verified by a mail of this service.
    case verify
  }

  package init(id: String, name: String, client: ClientRegistration, _ kind: Kind, through outbound: OutboundClient) {
    self.id = id
    self.name = name
    self.client = client
    self.kind = kind
    self.outbound = outbound
  }

  /// The issuer, which identifies users together with their subject; no two providers may share one.
  package var issuer: String {
    switch kind {
    case .openID(let provider, _, _): provider.issuer
    case .facebook(let facebook): facebook.server.issuer
    }
  }

  /// The provider's endpoints; fetched from an OpenID provider and cached for a while.
  package func server() async throws(OAuth2Failure) -> AuthorizationServer {
    switch kind {
    case .openID(let provider, _, _): try await provider.server()
    case .facebook(let facebook): facebook.server
    }
  }

  /// The URL to send the browser to.
  package func authorizationURL(
    at server: AuthorizationServer, _ secrets: AttemptSecrets, redirectURI: String, proof: RequestedProof
  ) -> String {
    switch kind {
    case .openID(_, let scope, _):
      server.authorizationURL(
        for: client, secrets, scope: scope, redirectURI: redirectURI,
        adding: ["nonce": secrets.nonce, "max_age": "\(proof.maxAge)"])
    case .facebook:
      server.authorizationURL(for: client, secrets, scope: Facebook.scope, redirectURI: redirectURI)
    }
  }

  /// The user that `answer` to `attempt` authenticates.
  package func user(
    of answer: AuthorizationAnswer, to attempt: UsedAttempt
  ) async throws(OAuth2Failure) -> FederatedUser {
    let server = try await self.server()
    let code = try answer.code(from: server)
    let tokens = try await TokenEndpoint(of: server, as: client, through: outbound).tokens(
      for: code, codeVerifier: attempt.codeVerifier, redirectURI: attempt.redirectURI)
    switch kind {
    case .openID(let provider, _, let emails):
      let user = try await provider.user(in: tokens, nonce: attempt.nonce)
      // Without the time an old proof would count as one of now.
      guard attempt.proof == .remembered || user.provedAt != nil else { throw .untrusted(.authenticationTime) }
      return FederatedUser(
        issuer: provider.issuer, subject: user.subject, email: user.email.flatMap { EmailAddress($0) },
        isEmailVerified: user.isEmailVerified && emails == .trusted, provedAt: user.provedAt)
    case .facebook(let facebook):
      return try await facebook.user(of: tokens, as: client, through: outbound)
    }
  }
}

extension RequestedProof {
  /// The maximum age of the proof in seconds, for OpenID Connect's `max_age`. A provider that receives it must return
  /// the time of the proof.
  fileprivate var maxAge: Int64 {
    switch self {
    case .remembered: Lifetimes.refreshToken.components.seconds
    case .new: 0
    }
  }
}
