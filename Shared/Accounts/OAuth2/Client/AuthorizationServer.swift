import OutboundHTTP

/// Where users consent and where tokens are given (RFC 6749).
public struct AuthorizationServer: Sendable, Hashable {
  /// By what it is told from others: an `https://` URL.
  public let issuer: String
  /// The page that users are sent to.
  public let authorizationEndpoint: String
  /// Where a code becomes tokens.
  public let tokenEndpoint: String
  /// Whether it says in every answer that the answer is its own (RFC 9207).
  public let namesItself: Bool

  /// A server whose endpoints are known.
  public init(issuer: String, authorizationEndpoint: String, tokenEndpoint: String, namesItself: Bool = false) {
    self.issuer = issuer
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    self.namesItself = namesItself
  }

  /// The URL to send a user's browser to.
  ///
  /// - Parameters:
  ///   - scope: what is asked for.
  ///   - additions: what a server wants beyond RFC 6749 and RFC 7636.
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

/// What a browser brings back from an authorization server (RFC 6749, section 4.1.2; RFC 9207).
public struct AuthorizationAnswer: Sendable {
  /// `code`; empty where there is none.
  public let code: String
  /// `iss`; empty where there is none.
  public let issuer: String
  /// `error`; empty where there is none.
  public let error: String

  /// Longer codes are refused unread.
  private static let maxCodeLength = 4_096

  /// The parameters as they came.
  public init(code: String, issuer: String, error: String) {
    self.code = code
    self.issuer = issuer
    self.error = error
  }

  /// The code of an answer that is `server`'s.
  ///
  /// - Throws: `untrusted` for another server's answer (`issuer`), and one with neither error nor code or with a longer code than any
  ///   (`answer`); `consentDenied`, `temporary` or `refused` as the answer's error says.
  public func code(from server: AuthorizationServer) throws(OAuth2Failure) -> String {
    // An answer of another server, with a code that must not be shown to this one: the mix-up of RFC 9207.
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
