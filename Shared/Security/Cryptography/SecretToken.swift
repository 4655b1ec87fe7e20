import Base64
import Environment

/// A secret of 256 random bits that is given out once, as text, and stored only as its hash.
///
/// Being that random it needs no slow hash: SHA-256 cannot be guessed backwards ([ID-4], [ID-6]).
public struct SecretToken: Sendable, Equatable {
  private let bytes: [UInt8]

  public init(randomness: some Randomness) {
    bytes = randomness.bytes(32)
  }

  /// Reads the text that a client sends back; `nil` when it cannot be a secret's.
  public init?(_ text: String) {
    guard text.utf8.count == 43, let bytes = Base64URL.decode(text) else { return nil }
    self.bytes = bytes
  }

  /// The 43 characters (base64url) to put into a link or a response, and nowhere else.
  public var text: String { Base64URL.encode(bytes) }

  /// The SHA-256 of the secret, 32 bytes: to store, and to look it up by.
  public var hash: [UInt8] { Digest.sha256(bytes) }

  /// Whether both are the same secret, in constant time.
  public static func == (first: SecretToken, second: SecretToken) -> Bool {
    Digest.constantTimeEquals(first.bytes, second.bytes)
  }
}

extension SecretToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the secret, so that it cannot get into a log.
  public var description: String { "SecretToken(redacted)" }
  /// Never the secret.
  public var debugDescription: String { description }
  /// Shows no part of the secret to `dump`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
