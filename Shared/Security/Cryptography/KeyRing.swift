import Base64
import Environment

/// The key that signs, and every key whose signatures are still accepted.
///
/// To rotate: sign with a new key while the old one stays in the ring for as long as its tokens live.
public struct KeyRing: Sendable {
  public let signing: SigningKey
  private let verification: [String: VerificationKey]

  /// A ring that signs with `signing` and also accepts what the `retired` keys signed.
  public init(signing: SigningKey, retired: [VerificationKey] = []) {
    self.signing = signing
    verification = Dictionary(
      (retired + [signing.verificationKey]).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads a key file: a private key, which signs, then any number of retired keys, private or public.
  public init(pem: String) throws(OpenSSLError) {
    var blocks = PEMBlock.all(in: pem)[...]
    guard let first = blocks.popFirst() else { throw OpenSSLError("finding a PEM block in the key file") }
    var retired: [VerificationKey] = []
    for block in blocks {
      retired.append(
        block.label == "PUBLIC KEY"
          ? try VerificationKey(pem: block.text) : try SigningKey(pem: block.text).verificationKey)
    }
    self.init(signing: try SigningKey(pem: first.text), retired: retired)
  }

  /// The ring that signs with `next` and still accepts everything this one does.
  public func rotated(to next: SigningKey) -> KeyRing {
    KeyRing(signing: next, retired: Array(verification.values))
  }

  /// Every key a verifier needs, the signing one first.
  public var verificationKeys: [VerificationKey] {
    let current = signing.verificationKey
    return [current] + verification.values.filter { $0 != current }.sorted { $0.id < $1.id }
  }

  /// The keys as a JWK Set (RFC 7517, RFC 8037).
  public var jsonWebKeySet: String {
    let keys = verificationKeys.map { key in
      #"{"kty":"OKP","crv":"Ed25519","use":"sig","alg":"EdDSA","kid":"\#(key.id)","x":"\#(Base64URL.encode(key.publicKey))"}"#
    }
    return #"{"keys":[\#(keys.joined(separator: ","))]}"#
  }
}

/// One `-----BEGIN x-----` … `-----END x-----` of a text (RFC 7468).
struct PEMBlock: Equatable {
  let label: String
  let text: String

  static func all(in text: String) -> [PEMBlock] {
    var blocks: [PEMBlock] = []
    var (label, lines): (String?, [Substring]) = (nil, [])
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN "), line.hasSuffix("-----") {
        label = String(line.dropFirst(11).dropLast(5))
        lines = []
      }
      lines.append(line)
      if let opened = label, line == "-----END \(opened)-----" {
        blocks.append(PEMBlock(label: opened, text: lines.joined(separator: "\n") + "\n"))
        label = nil
      }
    }
    return blocks
  }
}
