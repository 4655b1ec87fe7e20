import Base64
import Environment
import COpenSSL

/// A 256-bit key for `Seal`, with its id.
public struct SealKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// 1 to 64 of `A-Z a-z 0-9 - _ .`; precedes everything sealed with the key.
  public let id: String
  let bytes: [UInt8]

  /// `nil` unless the id is well formed and there are 32 bytes.
  public init?(id: String, bytes: [UInt8]) {
    guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(Self.isIDCharacter), bytes.count == 32 else {
      return nil
    }
    (self.id, self.bytes) = (id, bytes)
  }

  /// Reads `id:key` with the key in base64url, one line of a key file; `nil` for anything else.
  public init?(line: some StringProtocol) {
    let parts = line.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let bytes = Base64URL.decode(parts[1].utf8) else { return nil }
    self.init(id: String(parts[0]), bytes: bytes)
  }

  /// The line of a key file that `init(line:)` reads. It is the secret itself.
  public var line: String { "\(id):\(Base64URL.encode(bytes))" }

  /// The id; never the key.
  public var description: String { "SealKey(\(id))" }
  /// Shows no part of the key to `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["id": id]) }

  private static func isIDCharacter(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// Why a sealed secret could not be opened.
public enum UnsealError: Error, Sendable, Equatable {
  /// Too short, or of an unknown version.
  case malformed
  /// Sealed with a key that the ring does not hold.
  case unknownKey(id: String)
  /// Changed since it was sealed, or sealed with other associated data.
  case notAuthentic
}

/// Encrypts secrets at rest: AES-256-GCM under one of several keys (NIST SP 800-38D).
///
/// Bytes of a sealed secret: version (1), length of the key's id, the id, 12 of nonce, the ciphertext, 16 of tag. The
/// bytes before the nonce are authenticated together with the associated data. Nonces are random, so a key should be
/// replaced before some 2^32 uses.
public struct Seal: Sendable {
  private static let version: UInt8 = 1
  private static let nonceLength = 12
  private static let tagLength = 16

  private let current: SealKey
  private let keys: [String: SealKey]
  private let randomness: any Randomness

  /// Seals with `current`; opens what any of the keys has sealed.
  public init(current: SealKey, retired: [SealKey] = [], randomness: any Randomness = SystemRandomness()) {
    self.current = current
    self.randomness = randomness
    keys = Dictionary((retired + [current]).map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The first bytes of everything that is sealed with the current key; a statement finds by it the rows to seal again.
  public var currentPrefix: [UInt8] { [Self.version, UInt8(current.id.utf8.count)] + Array(current.id.utf8) }

  /// 32 bytes that cannot be computed without the current key, and are of no use for another purpose.
  public func derivedKey(for purpose: String) -> [UInt8] { Digest.hmacSHA256(purpose.utf8, key: current.bytes) }

  /// Encrypts `secret`. It can be opened only with the same `associated` data, which names the row it belongs to.
  public func seal(_ secret: [UInt8], associated: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    let header = currentPrefix
    let nonce = randomness.bytes(Self.nonceLength)
    return header + nonce + (try AES256GCM.encrypt(secret, key: current.bytes, nonce: nonce, header + associated))
  }

  /// Decrypts the result of `seal`.
  ///
  /// - Throws: `UnsealError`, or `OpenSSLError` when OpenSSL itself fails.
  public func open(_ sealed: [UInt8], associated: [UInt8]) throws -> [UInt8] {
    guard let id = Self.keyID(of: sealed) else { throw UnsealError.malformed }
    guard let key = keys[id] else { throw UnsealError.unknownKey(id: id) }
    let start = 2 + id.utf8.count
    let body = start + Self.nonceLength
    guard sealed.count >= body + Self.tagLength else { throw UnsealError.malformed }
    let header = Array(sealed[..<start])
    let opened = try AES256GCM.decrypt(
      Array(sealed[body...]), key: key.bytes, nonce: Array(sealed[start..<body]), header + associated)
    guard let opened else { throw UnsealError.notAuthentic }
    return opened
  }

  /// Whether it was sealed with another key than the current one and should be sealed again.
  public func needsReseal(_ sealed: [UInt8]) -> Bool {
    Self.keyID(of: sealed) != current.id
  }

  private static func keyID(of sealed: [UInt8]) -> String? {
    guard sealed.count > 2, sealed[0] == version, sealed.count >= 2 + Int(sealed[1]) else { return nil }
    return String(validating: sealed[2..<(2 + Int(sealed[1]))], as: UTF8.self)
  }
}

/// AES-256-GCM with a 16 byte tag behind the ciphertext.
enum AES256GCM {
  private static let tagLength = 16

  static func encrypt(
    _ plain: [UInt8], key: [UInt8], nonce: [UInt8], _ associated: [UInt8]
  ) throws(OpenSSLError) -> [UInt8] {
    let context = try require(EVP_CIPHER_CTX_new(), "sealing")
    defer { EVP_CIPHER_CTX_free(context) }
    try require(EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, nil, nil), "sealing")
    try require(tandem_set_nonce_length(context, Int32(nonce.count)), "sealing")
    try require(EVP_EncryptInit_ex(context, nil, nil, key, nonce), "sealing")
    var length: Int32 = 0
    try require(EVP_EncryptUpdate(context, nil, &length, associated, Int32(associated.count)), "sealing")
    var output = [UInt8](repeating: 0, count: plain.count)
    try require(EVP_EncryptUpdate(context, &output, &length, plain, Int32(plain.count)), "sealing")
    var rest = [UInt8](repeating: 0, count: tagLength)
    try require(EVP_EncryptFinal_ex(context, &rest, &length), "sealing")
    var tag = [UInt8](repeating: 0, count: tagLength)
    try require(tandem_get_tag(context, Int32(tagLength), &tag), "sealing")
    return output + tag
  }

  /// The plain bytes, or `nil` when the tag does not match.
  static func decrypt(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], _ associated: [UInt8]
  ) throws(OpenSSLError) -> [UInt8]? {
    let context = try require(EVP_CIPHER_CTX_new(), "opening a seal")
    defer { EVP_CIPHER_CTX_free(context) }
    let cipher = Array(sealed.dropLast(tagLength))
    try require(EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, nil, nil), "opening a seal")
    try require(tandem_set_nonce_length(context, Int32(nonce.count)), "opening a seal")
    try require(EVP_DecryptInit_ex(context, nil, nil, key, nonce), "opening a seal")
    var length: Int32 = 0
    try require(EVP_DecryptUpdate(context, nil, &length, associated, Int32(associated.count)), "opening a seal")
    var plain = [UInt8](repeating: 0, count: cipher.count)
    try require(EVP_DecryptUpdate(context, &plain, &length, cipher, Int32(cipher.count)), "opening a seal")
    try require(tandem_set_tag(context, Int32(tagLength), Array(sealed.suffix(tagLength))), "opening a seal")
    var rest = [UInt8](repeating: 0, count: tagLength)
    guard EVP_DecryptFinal_ex(context, &rest, &length) == 1 else {
      ERR_clear_error()
      return nil
    }
    return plain
  }
}
