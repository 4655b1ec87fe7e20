import Base64
import Environment
import Cryptography
import Identifiers

/// Makes and reads the tokens of one list for one caller.
///
/// Sealed bytes: when it was made in microseconds (8, big-endian), then the keys of the last row.
struct PageTokens: Sendable {
  /// Longer than any token that is made here; longer texts are not decoded.
  private static let maxLength = 8_192

  let seal: Seal
  let clock: any WallClock
  /// What a token is bound to: list, filter and caller.
  let binding: [UInt8]

  func token(of position: [UInt8]) throws(OpenSSLError) -> String {
    var bytes: [UInt8] = []
    clock.now.write(to: &bytes)
    return Base64URL.encode(try seal.seal(bytes + position, associated: binding))
  }

  /// The keys in a token; `nil` for one that was changed, is another list's or another caller's, or is too old.
  ///
  /// - Throws: `OpenSSLError` when OpenSSL itself fails.
  func position(of token: String) throws -> ArraySlice<UInt8>? {
    guard token.utf8.count <= Self.maxLength, let sealed = Base64URL.decode(token) else { return nil }
    do {
      var bytes = try seal.open(sealed, associated: binding)[...]
      guard let made = Instant(from: &bytes), clock.now - made <= Pages.lifetime else { return nil }
      return bytes
    } catch is UnsealError {
      return nil
    }
  }
}
