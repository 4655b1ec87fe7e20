public import Environment
import Cryptography
public import OutboundHTTP

/// An OpenID provider, configured by its issuer alone: it publishes its endpoints and keys itself (OpenID Connect
/// Discovery 1.0).
public struct OpenIDProvider: Sendable {
  /// Its issuer identifier in ID tokens and in its discovery document.
  public let issuer: String
  private let client: ClientRegistration
  private let outbound: OutboundClient
  private let clock: any WallClock
  private let metadata: KeptDocument<ProviderMetadata>
  private let keys: KeptDocument<JSONWebKeys>

  /// Bytes of the discovery document and of the key set; real ones have a few thousand.
  private static let maxDocumentLength = 262_144

  /// - Parameters:
  ///   - issuer: `https://…`; nothing is fetched before a user logs in.
  ///   - client: this service's registration at the provider.
  public init(issuer: String, client: ClientRegistration, through outbound: OutboundClient, clock: any WallClock) {
    self.issuer = issuer
    self.client = client
    self.outbound = outbound
    self.clock = clock
    let document: @Sendable (String) async throws(OAuth2Failure) -> [UInt8] = {
      (url: String) async throws(OAuth2Failure) -> [UInt8] in
      try await Self.document(url, through: outbound)
    }
    let metadata = KeptDocument(.hourly, clock: clock) { () async throws(OAuth2Failure) -> ProviderMetadata in
      // The issuer's path comes first, and a slash at its end counts once (OpenID Connect Discovery, section 4).
      let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
      return try ProviderMetadata(try await document("\(base)/.well-known/openid-configuration"), of: issuer)
    }
    self.metadata = metadata
    keys = KeptDocument(.hourly, clock: clock) { () async throws(OAuth2Failure) -> JSONWebKeys in
      try JSONWebKeys(try await document(try await metadata.value().keysURL))
    }
  }

  /// The provider's endpoints, as published within the last hour, or within the last day if it fails now.
  ///
  /// - Throws: `temporary` or `refused` where it does not answer; `untrusted(.answer)` for a document that is not its
  ///   own.
  public func server() async throws(OAuth2Failure) -> AuthorizationServer { try await metadata.value().server }

  /// The user of `tokens`, for the attempt with this nonce.
  ///
  /// - Throws: `untrusted` with the check that the ID token fails; the errors of ``server()`` where keys have to be
  ///   fetched.
  public func user(in tokens: TokenAnswer, nonce: String) async throws(OAuth2Failure) -> IDToken {
    guard let text = tokens.idToken else { throw .untrusted(.token) }
    let token = try IDToken.Unverified(text)
    let isMissing: @Sendable (JSONWebKeys) -> Bool = { $0.key(named: token.keyID, for: token.algorithm) == nil }
    guard let key = try await keys.value(unless: isMissing).key(named: token.keyID, for: token.algorithm) else {
      throw .untrusted(.key)
    }
    return try IDToken(
      token, signedBy: key,
      IDToken.Expectation(
        issuer: issuer, clientID: client.id, nonce: nonce, accessToken: tokens.accessToken, now: clock.now))
  }

  private static func document(_ url: String, through outbound: OutboundClient) async throws(OAuth2Failure) -> [UInt8] {
    let answer = try await outbound.answer(
      to: OutboundRequest(url, headers: [("accept", "application/json")], maxAnswerLength: maxDocumentLength))
    guard answer.status == 200 else { throw .refused(code: "\(answer.status)") }
    return answer.body
  }
}

extension KeptDocument.Terms {
  /// Keys and endpoints change rarely, and providers announce it; an unknown key is looked for, but at most once a
  /// minute.
  fileprivate static var hourly: Self {
    Self(
      lifetime: .seconds(3_600), maxUse: .seconds(24 * 3_600), pause: .seconds(60),
      pauseAfterFailure: .seconds(5))
  }
}
