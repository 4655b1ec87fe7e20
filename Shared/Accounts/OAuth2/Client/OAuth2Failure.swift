public import OutboundHTTP

/// Why an authorization server gave no token. It holds no secret and nothing that was sent.
public enum OAuth2Failure: Error, Sendable, Equatable {
  /// The server is away, slow, busy or broken: the same may succeed later, not before `retryAfter` where it says so.
  case temporary(reason: String, retryAfter: Duration?)
  /// The user did not consent.
  case consentDenied
  /// The code or the refresh token is not good, or not any more: only the user can help, by consenting again.
  case grantRefused
  /// The server refuses for another reason, such as credentials that the operator has to mend; the error code of RFC 6749 or what it sent
  /// in its place.
  case refused(code: String)
  /// What came is not what it must be, or not from whom it must be.
  case untrusted(Step)

  /// The step of RFC 6749, RFC 9207 or OpenID Connect that does not hold.
  public enum Step: String, Sendable, Hashable, CaseIterable {
    /// The answer that the browser brings is another server's (RFC 9207).
    case issuer = "ISSUER"
    /// An answer is too long, is redirected, or has not its shape.
    case answer = "ANSWER"
    /// The ID token is missing, too long or has not its shape.
    case token = "TOKEN"
    /// The ID token is not signed by one of the algorithms that are taken.
    case algorithm = "ALGORITHM"
    /// No key of the provider's is the one that the ID token names.
    case key = "KEY"
    /// The signature is not the key's.
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
  }
}

extension OAuth2Failure {
  /// What becomes of an exchange without an answer.
  public init(_ failure: OutboundFailure) {
    switch failure {
    case .tooLong: self = .untrusted(.answer)
    case .tooSlow, .unreachable: self = .temporary(reason: "\(failure)", retryAfter: nil)
    }
  }

  /// What the status alone says of an answer that is no error of the protocol; `nil` for 2xx and for 4xx that speak for themselves.
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
  /// The answer, where it is one that may be read.
  ///
  /// - Throws: `temporary` where there is none, or one that says that the server is busy or broken; `untrusted(.answer)` for a redirection and for
  ///   one that is too long.
  package func answer(to request: OutboundRequest) async throws(OAuth2Failure) -> OutboundAnswer {
    let answer: OutboundAnswer
    do { answer = try await send(request) } catch { throw OAuth2Failure(error) }
    if let failure = OAuth2Failure(answer) { throw failure }
    return answer
  }
}
