import Environment
import Cryptography
import IdentityStore

/// What keeps a client logged in: one part for the session, which finds it, and one that changes with every use ([ID-6]).
///
/// A token whose first part is known and whose second is not was issued once and used since, so somebody has it who should not.
/// That way no list of used tokens is kept, and nobody without a token of a session can end it.
struct RefreshToken: Sendable {
  private let family: SecretToken
  private let secret: SecretToken

  /// The first token of a new session.
  init(randomness: some Randomness) {
    family = SecretToken(randomness: randomness)
    secret = SecretToken(randomness: randomness)
  }

  /// The next token of this one's session.
  init(after token: RefreshToken, randomness: some Randomness) {
    family = token.family
    secret = SecretToken(randomness: randomness)
  }

  /// Reads what a client sends back; `nil` when no token has that text.
  init?(_ text: String) {
    guard text.utf8.count <= 100 else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let family = SecretToken(String(parts[0])), let secret = SecretToken(String(parts[1]))
    else {
      return nil
    }
    (self.family, self.secret) = (family, secret)
  }

  /// What goes to the client, and nowhere else.
  var text: String { "\(family.text).\(secret.text)" }

  /// What is stored.
  var hashes: RefreshHashes { RefreshHashes(family: family.hash, secret: secret.hash) }
}
