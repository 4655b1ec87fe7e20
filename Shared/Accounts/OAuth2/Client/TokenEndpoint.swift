import Cryptography
import FoundationEssentials
public import OutboundHTTP

/// How a token endpoint is spoken to.
public enum TokenDialect: Sendable, Hashable {
  /// As RFC 6749 says.
  case standard
  /// As Withings does: with an action in the form, and with an answer inside another one that has a status of its own.
  case withings
}

/// Requests tokens from an authorization server (RFC 6749, sections 4.1.3 and 6).
public struct TokenEndpoint: Sendable {
  private let dialect: TokenDialect
  private let server: AuthorizationServer
  private let client: ClientRegistration
  private let outbound: OutboundClient

  /// Bytes; an ID token with many claims has a few thousand.
  private static let maxAnswerLength = 65_536

  /// The token endpoint of `server` for `client`.
  public init(
    of server: AuthorizationServer, as client: ClientRegistration, through outbound: OutboundClient,
    speaking dialect: TokenDialect = .standard
  ) {
    self.dialect = dialect
    self.server = server
    self.client = client
    self.outbound = outbound
  }

  /// Exchanges a code that a browser brought for tokens.
  ///
  /// - Throws: `grantRefused` for a code that is invalid or expired; `temporary` where the server cannot answer now,
  ///   `refused` where it refuses; `untrusted(.answer)` for an invalid response.
  public func tokens(
    for code: String, codeVerifier: String, redirectURI: String
  ) async throws(OAuth2Failure) -> TokenAnswer {
    try await ask([
      "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "code_verifier": codeVerifier,
    ])
  }

  /// New tokens for a refresh token, which may be used up by that.
  ///
  /// - Throws: as ``tokens(for:codeVerifier:redirectURI:)``; `grantRefused` means that the user has to consent again.
  public func tokens(forRefreshToken refreshToken: String) async throws(OAuth2Failure) -> TokenAnswer {
    try await ask(["grant_type": "refresh_token", "refresh_token": refreshToken])
  }

  private func ask(_ fields: KeyValuePairs<String, String>) async throws(OAuth2Failure) -> TokenAnswer {
    var form = FormFields(fields)
    var headers: [(name: String, value: String)] = [("accept", "application/json")]
    switch (client.authentication, client.secret) {
    case (.basic, let secret?):
      // Both parts are encoded as in a form before they are joined (RFC 6749, section 2.3.1).
      let pair = "\(FormFields.escaped(client.id)):\(FormFields.escaped(secret.text))"
      headers.append(("authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
    case (.post, let secret?):
      form.append("client_id", client.id)
      form.append("client_secret", secret.text)
    default: form.append("client_id", client.id)
    }
    if dialect == .withings { form.append("action", "requesttoken") }
    let answer = try await outbound.answer(
      to: OutboundRequest(
        server.tokenEndpoint, posting: form, headers: headers, maxAnswerLength: Self.maxAnswerLength))
    return try read(answer)
  }

  private func read(_ answer: OutboundAnswer) throws(OAuth2Failure) -> TokenAnswer {
    guard answer.status == 200 else { throw ErrorCode.failure(answer) }
    let read =
      switch dialect {
      case .standard: StrictJSON.decode(TokenAnswer.self, answer.body)
      case .withings: try Self.enveloped(answer)
      }
    guard var tokens = read, tokens.isUsable else { throw .untrusted(.answer) }
    tokens.document = answer.body
    return tokens
  }

  private struct Status: Decodable {
    let status: Int
  }

  private struct Envelope: Decodable {
    let body: TokenAnswer
  }

  /// The tokens inside an answer of Withings.
  private static func enveloped(_ answer: OutboundAnswer) throws(OAuth2Failure) -> TokenAnswer? {
    guard let status = StrictJSON.decode(Status.self, answer.body)?.status else { return nil }
    switch status {
    case 0: return StrictJSON.decode(Envelope.self, answer.body)?.body
    // 503 is a parameter that is not valid: the code or the refresh token, as the others never change.
    case 100...102, 200, 401, 503: throw .grantRefused
    case 601, 522, 524: throw .temporary(reason: "the server answered status \(status)", retryAfter: answer.retryAfter)
    default: throw .refused(code: "\(status)")
    }
  }
}

/// The response of a token endpoint (RFC 6749, section 5.1); no description shows it.
public struct TokenAnswer: Sendable, Decodable, CustomStringConvertible, CustomReflectable {
  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case tokenType = "token_type"
    case lifetimeSeconds = "expires_in"
    case refreshToken = "refresh_token"
    case scope
    case idToken = "id_token"
  }

  /// The token for requests for the user's data.
  public let accessToken: String
  private let tokenType: String
  private let lifetimeSeconds: Double?
  /// The token for requesting new tokens; `nil` where the server issues none.
  public let refreshToken: String?
  /// The granted scopes, where they differ from those requested.
  public let scope: String?
  /// The signed ID token (OpenID Connect).
  public let idToken: String?
  /// The whole answer, in which some servers say whose the tokens are. It contains the tokens.
  public internal(set) var document: [UInt8] = []

  /// How long the access token is valid; `nil` where the server does not say.
  public var lifetime: Duration? { lifetimeSeconds.map { .seconds(min(max($0, 0), Self.maxLifetime)) } }

  /// Ten years, in seconds; longer times are cut to it.
  private static let maxLifetime: Double = 315_360_000

  /// Whether it is a bearer token, the only kind supported, of characters that a header may have.
  var isUsable: Bool {
    !accessToken.isEmpty && tokenType.lowercased() == "bearer"
      && accessToken.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Never the tokens.
  public var description: String { "TokenAnswer(redacted)" }
  /// Shows no token to `dump`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
