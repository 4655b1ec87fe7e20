import COpenSSL

/// Checks RSA signatures of PKCS #1 v1.5 with SHA-256 (RFC 8017), which JOSE calls RS256.
public struct RSAKey: Sendable {
  /// Bytes of a modulus: shorter ones can be broken, longer ones only cost time.
  private static let modulusLengths = 256...1_024

  private let handle: KeyHandle

  /// The public key of two big-endian numbers, with or without leading zeros.
  ///
  /// - Throws: when the modulus does not have 2048 to 8192 bits, or the exponent is even, 1 or over 32 bits.
  public init(modulus: [UInt8], exponent: [UInt8]) throws(OpenSSLError) {
    let (modulus, exponent) = (modulus.drop { $0 == 0 }, exponent.drop { $0 == 0 })
    guard Self.modulusLengths.contains(modulus.count), (1...4).contains(exponent.count), let last = exponent.last,
      last & 1 == 1, exponent.count > 1 || last > 1
    else { throw OpenSSLError("reading an RSA public key") }
    let numbers = DER.sequence(DER.integer(modulus) + DER.integer(exponent))
    let encoded = DER.sequence(Self.algorithm + DER.bitString(numbers))
    let key = encoded.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_PUBKEY(nil, &start, bytes.count)
    }
    handle = KeyHandle(owning: try require(key, "reading an RSA public key"))
  }

  /// `rsaEncryption` with the parameters NULL (RFC 3279, section 2.3.1).
  private static let algorithm: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]

  /// Whether `signature` is this key's over `message`.
  public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1 else { return false }
    let isValid = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    if !isValid { ERR_clear_error() }
    return isValid
  }
}

/// The few DER elements (X.690) that keys and signatures are encoded with.
enum DER {
  /// An INTEGER: a non-negative number of big-endian bytes.
  static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    // A number whose first bit is set would be read as negative.
    if digits.first.map({ $0 & 0x80 != 0 }) ?? true { digits.insert(0, at: 0) }
    return element(0x02, digits)
  }

  static func sequence(_ elements: [UInt8]) -> [UInt8] { element(0x30, elements) }

  /// A BIT STRING of whole bytes.
  static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

  private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    let length: [UInt8] =
      switch count {
      case ..<0x80: [UInt8(count)]
      case ..<0x100: [0x81, UInt8(count)]
      default: [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
      }
    return [tag] + length + contents
  }
}
