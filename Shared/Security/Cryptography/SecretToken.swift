import Base64
import Environment

/// A secret of 256 random bits that is given out once, as text, and stored only as its hash.
///
/// Being that random it needs no slow hash: SHA-256 cannot be guessed backwards ([ID-4], [ID-6]).
public struct SecretToken: Sendable, Equatable {
  private let bytes: [UInt8]

  /// A new secret.
  public init(randomness: some Randomness) {
    bytes = randomness.bytes(32)
  }

  /// Reads the text a client sends back; `nil` when no secret has that text.
  public init?(_ text: String) {
    guard text.utf8.count == 43, let bytes = Base64URL.decode(text) else { return nil }
    self.bytes = bytes
  }

  /// The 43 characters (base64url) to put into a link or an answer, and nowhere else.
  public var text: String { Base64URL.encode(bytes) }

  /// What to store and to look it up by: its SHA-256, 32 bytes.
  public var hash: [UInt8] { Digest.sha256(bytes) }

  /// Whether both are the same secret, in constant time.
  public static func == (first: SecretToken, second: SecretToken) -> Bool {
    Digest.constantTimeEquals(first.bytes, second.bytes)
  }
}

extension SecretToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the secret, so that it cannot slip into a log.
  public var description: String { "SecretToken(redacted)" }
  /// Never the secret.
  public var debugDescription: String { description }
  /// Shows no part of the secret to `dump`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
