import Environment
import IdentityDomain
import OAuth2
import OutboundHTTP

/// Somebody who knows users and says so: whom users can log in by ([ID-12]).
package struct FederatedProvider: Sendable {
  /// What calls name it by, such as `google`.
  package let id: String
  /// What users are shown.
  package let name: String
  private let client: ClientRegistration
  private let outbound: OutboundClient
  private let kind: Kind

  /// What providers have not in common.
  package enum Kind: Sendable {
    /// OpenID Connect.
    case openID(OpenIDProvider, scope: [String], emails: EmailTrust)
    /// OAuth 2.0 with a question about the user behind it.
    case facebook(Facebook)
  }

  /// What a provider's word that it has verified an address is worth.
  package enum EmailTrust: String, Sendable, CaseIterable, Decodable {
    /// An account with the address is a verified one.
    case trusted
    /// The address is verified by a mail of ours.
    case verify
  }

  package init(id: String, name: String, client: ClientRegistration, _ kind: Kind, through outbound: OutboundClient) {
    self.id = id
    self.name = name
    self.client = client
    self.kind = kind
    self.outbound = outbound
  }

  /// By what users' identities there are known: two providers of one issuer would be one.
  package var issuer: String {
    switch kind {
    case .openID(let provider, _, _): provider.issuer
    case .facebook(let facebook): facebook.server.issuer
    }
  }

  /// Where users consent; asked of an OpenID provider and kept for a while.
  package func server() async throws(OAuth2Failure) -> AuthorizationServer {
    switch kind {
    case .openID(let provider, _, _): try await provider.server()
    case .facebook(let facebook): facebook.server
    }
  }

  /// What a provider may take for a proof of who somebody is.
  package enum Proof: Sendable {
    /// One that it saw some time ago, in the same browser.
    case remembered
    /// One that it sees now.
    case new

    /// Seconds since the proof at most, for OpenID Connect's `max_age`. A provider that is asked for any has to tell when it was.
    fileprivate var maxAge: Int64 {
      switch self {
      case .remembered: Lifetimes.refreshToken.components.seconds
      case .new: 0
      }
    }
  }

  /// Where to send the browser.
  package func authorizationURL(
    at server: AuthorizationServer, _ secrets: AttemptSecrets, redirectURI: String, proof: Proof
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

  /// Who has come back with `answer` to `attempt`.
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
      return FederatedUser(
        issuer: provider.issuer, subject: user.subject, email: user.email.flatMap { EmailAddress($0) },
        isEmailVerified: user.isEmailVerified && emails == .trusted, provedAt: user.provedAt)
    case .facebook(let facebook):
      return try await facebook.user(of: tokens, as: client, through: outbound)
    }
  }
}
