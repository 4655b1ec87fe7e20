import Base64
import Cryptography

/// A minimal authenticator with its browser: one Ed25519 passkey.
struct SoftPasskey: Sendable {
  let id: [UInt8]
  private let key: SigningKey
  private let relyingParty: String

  private static let origin = "https://tandem.example"
  /// User present and verified.
  private static let verified: UInt8 = 0x05
  private static let withCredential: UInt8 = 0x40

  init(_ number: Int, for relyingParty: String) throws {
    id = Array("passkey \(number)".utf8)
    key = try SigningKey(seed: Digest.sha256(id))
    self.relyingParty = relyingParty
  }

  /// The client data that a browser creates in a ceremony (WebAuthn, section 5.8.1).
  static func clientData(_ type: String, _ challenge: [UInt8]) -> [UInt8] {
    Array(#"{"type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"}"#.utf8)
  }

  /// The result of `navigator.credentials.create`, without attestation (section 6.5).
  var attestationObject: [UInt8] {
    let cose = Self.map([([0x01], [0x01]), ([0x03], [0x27]), ([0x20], [0x06]), ([0x21], Self.bytes(publicKey))])
    let credential = [UInt8](repeating: 0, count: 16) + [0, UInt8(id.count)] + id + cose
    let data = authenticatorData(Self.verified | Self.withCredential, count: 0) + credential
    return Self.map([
      (Self.text("fmt"), Self.text("none")), (Self.text("attStmt"), [0xA0]), (Self.text("authData"), Self.bytes(data)),
    ])
  }

  /// The result of `navigator.credentials.get`.
  func assertion(_ clientData: [UInt8], count: UInt8) throws -> (data: [UInt8], signature: [UInt8]) {
    let data = authenticatorData(Self.verified, count: count)
    return (data, try key.signature(for: data + Digest.sha256(clientData)))
  }

  private var publicKey: [UInt8] { key.verificationKey.publicKey }

  private func authenticatorData(_ flags: UInt8, count: UInt8) -> [UInt8] {
    Digest.sha256(relyingParty.utf8) + [flags, 0, 0, 0, count]
  }

  // MARK: CBOR (RFC 8949), as far as it is needed

  private static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(0x40, bytes.count) + bytes }
  private static func text(_ text: String) -> [UInt8] { head(0x60, text.utf8.count) + text.utf8 }
  private static func map(_ entries: [([UInt8], [UInt8])]) -> [UInt8] {
    head(0xA0, entries.count) + entries.flatMap { $0.0 + $0.1 }
  }

  private static func head(_ major: UInt8, _ count: Int) -> [UInt8] {
    count < 24 ? [major | UInt8(count)] : [major | 24, UInt8(count)]
  }
}
