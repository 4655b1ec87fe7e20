import Base64
import Cryptography

/// The browser's description of the ceremony (WebAuthn, section 5.8.1), which the authenticator signs.
package struct ClientData: Sendable {
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

  /// The challenge that was issued.
  package let challenge: [UInt8]
  /// The origin of the page that started the ceremony.
  package let origin: String
  /// Whether that page was embedded in another site's page.
  package let isCrossOrigin: Bool
  /// SHA-256 of the raw client data.
  package let hash: [UInt8]

  /// The maximum length in bytes; browsers write about 200.
  private static let maxLength = 4_096

  /// Parses the client data of a ceremony.
  ///
  /// - Throws: `clientData`; `type` for those of another ceremony.
  package init(_ bytes: [UInt8], of ceremony: Ceremony) throws(PasskeyRefusal) {
    guard bytes.count <= Self.maxLength, let members = StrictJSON.decode(Members.self, bytes) else { throw .clientData }
    guard members.type == ceremony.rawValue else { throw .type }
    guard let challenge = Base64URL.decode(members.challenge) else { throw .challenge }
    self.challenge = challenge
    origin = members.origin
    isCrossOrigin = members.crossOrigin == true || members.topOrigin != nil
    hash = Digest.sha256(bytes)
  }
}
