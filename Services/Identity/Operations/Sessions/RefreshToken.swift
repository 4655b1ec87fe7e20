import Environment
import Cryptography
import IdentityStore

/// A refresh token: one part identifies the session, the other changes with every use ([ID-6]).
///
/// A token with a known first part and an unknown second part was issued and used before, so it may have been stolen.
/// No list of used tokens is needed, and only a client with a token of the session can end it this way.
package struct RefreshToken: Sendable {
  private let family: SecretToken
  private let secret: SecretToken

  init(randomness: some Randomness) {
    family = SecretToken(randomness: randomness)
    secret = SecretToken(randomness: randomness)
  }

  package init(after token: RefreshToken, randomness: some Randomness) {
    family = token.family
    secret = SecretToken(randomness: randomness)
  }

  /// Parses a token; `nil` when the text has another form.
  package init?(_ text: String) {
    guard text.utf8.count <= 100 else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let family = SecretToken(String(parts[0])), let secret = SecretToken(String(parts[1]))
    else {
      return nil
    }
    (self.family, self.secret) = (family, secret)
  }

  /// The text for the client; it is not stored.
  package var text: String { "\(family.text).\(secret.text)" }

  /// The hashes, which are stored.
  package var hashes: RefreshHashes { RefreshHashes(family: family.hash, secret: secret.hash) }
}
