import Base64
import Environment
public import Cryptography

/// What is made up for one attempt to get a user's consent.
public struct AttemptSecrets: Sendable {
  /// Comes back with the browser; only its hash is stored.
  public let state: SecretToken
  /// Shows the token endpoint that who has the code began the attempt (RFC 7636): 43 characters.
  public let codeVerifier: String
  /// Comes back in the ID token (OpenID Connect): 43 characters.
  public let nonce: String

  static let length = 43

  /// Fresh ones.
  init(randomness: some Randomness) {
    state = SecretToken(randomness: randomness)
    codeVerifier = SecretToken(randomness: randomness).text
    nonce = SecretToken(randomness: randomness).text
  }

  /// The challenge of the method S256 that the verifier answers.
  public var codeChallenge: String { Base64URL.encode(Digest.sha256(codeVerifier.utf8)) }
}
