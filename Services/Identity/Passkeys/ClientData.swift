import Base64
import Cryptography

/// What the browser says of the ceremony (WebAuthn, section 5.8.1), as it is signed over.
package struct ClientData: Sendable {
  /// Which ceremony it was.
  package enum Ceremony: String, Sendable {
    case registration = "webauthn.create"
    case login = "webauthn.get"
  }

  private struct Members: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
    let topOrigin: String?
  }

  /// The bytes that were given out.
  package let challenge: [UInt8]
  /// The page that asked.
  package let origin: String
  /// Whether that was a page within another site's.
  package let isCrossOrigin: Bool
  /// SHA-256 of the bytes.
  package let hash: [UInt8]

  /// Longer client data are refused unread; browsers write some 200 bytes.
  private static let longest = 4_096

  /// Reads what came for a ceremony.
  ///
  /// - Throws: `clientData`; `type` for another ceremony's.
  package init(_ bytes: [UInt8], of ceremony: Ceremony) throws(PasskeyRefusal) {
    guard bytes.count <= Self.longest, let members = StrictJSON.decode(Members.self, bytes) else { throw .clientData }
    guard members.type == ceremony.rawValue else { throw .type }
    guard let challenge = Base64URL.decode(members.challenge) else { throw .challenge }
    self.challenge = challenge
    origin = members.origin
    isCrossOrigin = members.crossOrigin == true || members.topOrigin != nil
    hash = Digest.sha256(bytes)
  }
}
