import Base64
import Cryptography
import Environment
import Identifiers

/// The token of a link that lets an operator's browser into the console, once and soon: a program that has the key makes one, and the gateway
/// that has the same key takes it.
///
/// Its bytes: when it was made, in microseconds since 1970 (8), a number that is random (16), and HMAC-SHA-256 of both (32).
public struct OperatorLink: Sendable, Equatable {
  /// How long a link may be followed.
  public static let lifetime = Duration.seconds(600)
  private static let purpose = "link of an operator"
  private static let nonceBytes = 16
  private static let macBytes = 32

  public let madeAt: Instant
  /// Tells one link from all others.
  public let nonce: [UInt8]

  public init(madeAt: Instant, randomness: any Randomness) {
    (self.madeAt, nonce) = (madeAt, randomness.bytes(Self.nonceBytes))
  }

  /// Reads a token; `nil` for one that was not made with the key.
  public init?(_ token: some StringProtocol, key: Seal) {
    guard let bytes = Base64URL.decode(token.utf8), bytes.count == 8 + Self.nonceBytes + Self.macBytes else {
      return nil
    }
    let signed = Array(bytes.prefix(8 + Self.nonceBytes))
    guard Digest.constantTimeEquals(Self.mac(of: signed, key), Array(bytes.suffix(Self.macBytes))) else { return nil }
    let time = signed.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    madeAt = Instant(microseconds: Int64(bitPattern: time))
    nonce = Array(signed.suffix(Self.nonceBytes))
  }

  /// The token, in letters that need no escape in a URL.
  public func token(key: Seal) -> String {
    let time = UInt64(bitPattern: madeAt.microseconds)
    let signed = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) } + nonce
    return Base64URL.encode(signed + Self.mac(of: signed, key))
  }

  /// Behind `#`, which no server sees and no log has.
  public static func path(_ token: String) -> String { "/console/enter#token=\(token)" }

  private static func mac(of bytes: [UInt8], _ key: Seal) -> [UInt8] {
    Digest.hmacSHA256(bytes, key: key.derivedKey(for: purpose))
  }
}
