import Base64
import Environment
import COpenSSL

/// Checks Ed25519 signatures (RFC 8032).
public struct VerificationKey: Sendable, Equatable {
  /// The key's JWK thumbprint (RFC 7638, RFC 8037), which tokens name in `kid`.
  public let id: String
  /// The 32 bytes of the public key.
  public let publicKey: [UInt8]
  private let handle: KeyHandle

  /// - Throws: when there are not exactly 32 bytes, or they are a point of small order.
  public init(publicKey: [UInt8]) throws(OpenSSLError) {
    // OpenSSL accepts these keys, with which one signature is valid for most messages (RFC 8032 leaves the check open).
    guard !SmallOrderPoints.contains(publicKey) else {
      throw OpenSSLError("using an Ed25519 public key of small order")
    }
    let made = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count)
    try self.init(KeyHandle(owning: try require(made, "reading an Ed25519 public key")))
  }

  /// Reads `-----BEGIN PUBLIC KEY-----`.
  public init(pem: String) throws(OpenSSLError) {
    try self.init(KeyHandle(publicPEM: pem))
  }

  init(_ handle: KeyHandle) throws(OpenSSLError) {
    guard handle.isEd25519 else { throw OpenSSLError("using a key that is not Ed25519") }
    self.handle = handle
    publicKey = try handle.rawPublicKey()
    // RFC 8037, appendix A.3: the members in this order and no white space.
    let jwk = #"{"crv":"Ed25519","kty":"OKP","x":""# + Base64URL.encode(publicKey) + #""}"#
    id = Base64URL.encode(Digest.sha256(jwk.utf8))
  }

  /// Whether `signature` is this key's over `message`.
  public func isValid(_ signature: [UInt8], for message: some Collection<UInt8>) -> Bool {
    guard signature.count == 64, let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, nil, nil, handle.pointer) == 1 else { return false }
    let message = Array(message)
    let isValid = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    if !isValid { ERR_clear_error() }
    return isValid
  }

  /// Whether both are the same public key.
  public static func == (first: VerificationKey, second: VerificationKey) -> Bool {
    first.publicKey == second.publicKey
  }
}

/// Makes Ed25519 signatures (RFC 8032).
public struct SigningKey: Sendable {
  /// The public key that verifies its signatures.
  public let verificationKey: VerificationKey
  private let handle: KeyHandle

  /// The key's id, as tokens name it in `kid`.
  public var id: String { verificationKey.id }

  public init(randomness: some Randomness) throws(OpenSSLError) {
    try self.init(seed: randomness.bytes(32))
  }

  /// The key of a 32 byte seed (RFC 8032's private key).
  public init(seed: [UInt8]) throws(OpenSSLError) {
    let made = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
    try self.init(KeyHandle(owning: try require(made, "reading an Ed25519 private key")))
  }

  /// Reads `-----BEGIN PRIVATE KEY-----`; an encrypted one is refused.
  public init(pem: String) throws(OpenSSLError) {
    try self.init(KeyHandle(privatePEM: pem))
  }

  private init(_ handle: KeyHandle) throws(OpenSSLError) {
    self.handle = handle
    verificationKey = try VerificationKey(handle)
  }

  /// The private key to keep in a file: PKCS #8, unencrypted.
  public func pem() throws(OpenSSLError) -> String {
    try handle.privatePEM()
  }

  /// The 64 bytes of the signature over `message`.
  public func signature(for message: some Collection<UInt8>) throws(OpenSSLError) -> [UInt8] {
    let context = try require(EVP_MD_CTX_new(), "signing")
    defer { EVP_MD_CTX_free(context) }
    try require(EVP_DigestSignInit(context, nil, nil, nil, handle.pointer), "signing")
    let message = Array(message)
    var length = 64
    var signature = [UInt8](repeating: 0, count: length)
    try require(EVP_DigestSign(context, &signature, &length, message, message.count), "signing")
    return signature
  }
}
