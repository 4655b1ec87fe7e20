import Base64
import Environment
public import Cryptography

/// The random values of one attempt to get a user's consent.
public struct AttemptSecrets: Sendable {
  /// Returned by the browser; only its hash is stored.
  public let state: SecretToken
  /// Proves to the token endpoint that the client with the code began the attempt (RFC 7636): 43 characters.
  public let codeVerifier: String
  /// Returned in the ID token (OpenID Connect): 43 characters.
  public let nonce: String

  static let length = 43

  init(randomness: some Randomness) {
    state = SecretToken(randomness: randomness)
    codeVerifier = SecretToken(randomness: randomness).text
    nonce = SecretToken(randomness: randomness).text
  }

  /// The challenge of the method S256 for the verifier.
  public var codeChallenge: String { Base64URL.encode(Digest.sha256(codeVerifier.utf8)) }
}
