import Base64
import Cryptography
import IdentityDomain
import Identifiers

/// Tokens in mails by which users unsubscribe from a kind without logging in ([ID-61]).
///
/// A token seals the user and the kind, so it cannot be forged and is not stored. It is valid for as long as the seal
/// key is kept.
package struct Unsubscription: Sendable {
  private let seal: Seal

  private static let purpose = Array("unsubscribe".utf8)

  package init(seal: Seal) { self.seal = seal }

  /// The token in a mail of this kind to this user.
  package func token(for userID: UserID, _ kind: NotificationKind) throws -> String {
    Base64URL.encode(try seal.seal(userID.uuid.bytes + Array(kind.rawValue.utf8), associated: Self.purpose))
  }

  /// The user and the kind in a token; `nil` for an invalid one.
  package func subject(of token: String) throws -> (UserID, NotificationKind)? {
    guard token.utf8.count <= 512, let sealed = Base64URL.decode(token) else { return nil }
    let opened: [UInt8]
    do { opened = try seal.open(sealed, associated: Self.purpose) } catch is UnsealError { return nil }
    guard opened.count > 16, let kind = NotificationKind(rawValue: String(decoding: opened[16...], as: UTF8.self))
    else { return nil }
    return (UserID(opened[..<16].withUnsafeBytes { UUID7(bytes: $0) }), kind)
  }
}
