import COpenSSL

/// Checks ECDSA signatures over P-256 with SHA-256 (FIPS 186-5), which COSE calls ES256.
public struct ECDSAKey: Sendable {
  private let handle: KeyHandle

  /// What comes before the point in a SubjectPublicKeyInfo of P-256 (RFC 5480); the point itself is uncompressed.
  private static let frame: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
    0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]

  /// The public key of 32 bytes for each coordinate, x first.
  ///
  /// - Throws: when there are not 64 bytes, or no point of the curve has these coordinates.
  public init(coordinates: [UInt8]) throws(OpenSSLError) {
    guard coordinates.count == 64 else { throw OpenSSLError("reading a P-256 public key") }
    let encoded = Self.frame + coordinates
    let key = encoded.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_PUBKEY(nil, &start, bytes.count)
    }
    handle = KeyHandle(owning: try require(key, "reading a P-256 public key"))
  }

  /// Whether `signature`, in DER, is this key's over `message`.
  public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1 else { return false }
    let isValid = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    if !isValid { ERR_clear_error() }
    return isValid
  }

  /// Whether `signature`, 32 bytes for each of its two numbers as JOSE has them (RFC 7518, section 3.4), is this key's over `message`.
  public func isValid(joining signature: [UInt8], for message: [UInt8]) -> Bool {
    guard signature.count == 64 else { return false }
    return isValid(
      DER.sequence(DER.integer(signature.prefix(32)) + DER.integer(signature.suffix(32))), for: message)
  }
}
