public import OutboundHTTP

/// Why an authorization server issued no token. It contains no secret and nothing that was sent.
public enum OAuth2Failure: Error, Sendable, Equatable {
  /// The server is unreachable, slow, busy or failing: a retry may succeed, not before `retryAfter` where that is set.
  case temporary(reason: String, retryAfter: Duration?)
  /// The user did not consent.
  case consentDenied
  /// The code or the refresh token is invalid, expired or revoked: the user has to consent again.
  case grantRefused
  /// The server refuses for another reason, such as credentials that the operator has to correct; the error code of RFC
  /// 6749 or what it sent in its place.
  case refused(code: String)
  /// A response or token is malformed, or does not come from the expected server.
  case untrusted(Step)

  /// The check of RFC 6749, RFC 9207 or OpenID Connect that failed.
  public enum Step: String, Sendable, Hashable, CaseIterable {
    /// The response that the browser brings is another server's (RFC 9207).
    case issuer = "ISSUER"
    /// A response is too long, a redirection, or malformed.
    case answer = "ANSWER"
    /// The ID token is missing, too long or malformed.
    case token = "TOKEN"
    /// The ID token is not signed with an accepted algorithm.
    case algorithm = "ALGORITHM"
    /// The provider has no key with the id that the ID token names.
    case key = "KEY"
    /// The signature is invalid.
    case signature = "SIGNATURE"
    /// `iss`
    case tokenIssuer = "TOKEN_ISSUER"
    /// `aud` or `azp`
    case audience = "AUDIENCE"
    /// `exp`
    case expiry = "EXPIRY"
    /// `iat`
    case issueTime = "ISSUE_TIME"
    /// `nonce`
    case nonce = "NONCE"
    /// `at_hash`
    case accessTokenHash = "ACCESS_TOKEN_HASH"
    /// `auth_time` is missing, though the user was to authenticate again.
    case authenticationTime = "AUTH_TIME"
  }
}

extension OAuth2Failure {
  /// The failure of an exchange without a response.
  public init(_ failure: OutboundFailure) {
    switch failure {
    case .tooLong: self = .untrusted(.answer)
    case .tooSlow, .unreachable: self = .temporary(reason: "\(failure)", retryAfter: nil)
    }
  }

  /// The failure that a status alone means; `nil` for 2xx, and for 4xx whose body gives the reason.
  public init?(_ answer: OutboundAnswer) {
    switch answer.status {
    case 300..<400: self = .untrusted(.answer)
    case 408, 425, 429, 500...:
      self = .temporary(reason: "the server answered \(answer.status)", retryAfter: answer.retryAfter)
    default: return nil
    }
  }
}

extension OutboundClient {
  /// The response, if its body may be read.
  ///
  /// - Throws: `temporary` where there is none, or its status says that the server is busy or failing;
  ///   `untrusted(.answer)` for a redirection and for one that is too long.
  package func answer(to request: OutboundRequest) async throws(OAuth2Failure) -> OutboundAnswer {
    let answer: OutboundAnswer
    do { answer = try await send(request) } catch { throw OAuth2Failure(error) }
    if let failure = OAuth2Failure(answer) { throw failure }
    return answer
  }
}
