import OutboundHTTP

/// The server where users consent and tokens are issued (RFC 6749).
public struct AuthorizationServer: Sendable, Hashable {
  /// Its issuer identifier: an `https://` URL.
  public let issuer: String
  /// The page that users are sent to.
  public let authorizationEndpoint: String
  /// The endpoint that exchanges a code for tokens.
  public let tokenEndpoint: String
  /// Whether every authorization response of it carries `iss` (RFC 9207).
  public let namesItself: Bool

  public init(issuer: String, authorizationEndpoint: String, tokenEndpoint: String, namesItself: Bool = false) {
    self.issuer = issuer
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    self.namesItself = namesItself
  }

  /// The URL to send a user's browser to.
  ///
  /// - Parameters:
  ///   - scope: the scopes to request.
  ///   - additions: parameters that a server wants beyond RFC 6749 and RFC 7636.
  public func authorizationURL(
    for client: ClientRegistration, _ secrets: AttemptSecrets, scope: [String], redirectURI: String,
    adding additions: KeyValuePairs<String, String> = [:]
  ) -> String {
    var query = FormFields([
      "response_type": "code", "client_id": client.id, "redirect_uri": redirectURI,
      "scope": scope.joined(separator: " "), "state": secrets.state.text,
      "code_challenge": secrets.codeChallenge, "code_challenge_method": "S256",
    ])
    for (name, value) in additions { query.append(name, value) }
    return authorizationEndpoint + (authorizationEndpoint.contains("?") ? "&" : "?") + query.encoded
  }
}

/// The authorization response that a browser brings (RFC 6749, section 4.1.2; RFC 9207).
public struct AuthorizationAnswer: Sendable {
  /// `code`; empty where it is absent.
  public let code: String
  /// `iss`; empty where it is absent.
  public let issuer: String
  /// `error`; empty where it is absent.
  public let error: String

  /// Characters; longer codes are refused.
  private static let maxCodeLength = 4_096

  public init(code: String, issuer: String, error: String) {
    self.code = code
    self.issuer = issuer
    self.error = error
  }

  /// The code of a response that is from `server`.
  ///
  /// - Throws: `untrusted` for another server's response (`issuer`), and one with neither error nor code or with too
  ///   long a code (`answer`); `consentDenied`, `temporary` or `refused` by the response's error.
  public func code(from server: AuthorizationServer) throws(OAuth2Failure) -> String {
    // A response of another server, with a code that must not be sent to this one: the mix-up of RFC 9207.
    guard issuer == server.issuer || (issuer.isEmpty && !server.namesItself) else { throw .untrusted(.issuer) }
    switch error {
    case "": break
    case "access_denied": throw .consentDenied
    case "server_error", "temporarily_unavailable": throw .temporary(reason: error, retryAfter: nil)
    default: throw .refused(code: ErrorCode.printable(error))
    }
    guard (1...Self.maxCodeLength).contains(code.utf8.count) else { throw .untrusted(.answer) }
    return code
  }
}
