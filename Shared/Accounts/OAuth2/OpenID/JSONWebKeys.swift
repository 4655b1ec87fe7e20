import Base64
import Cryptography

/// The public keys that a provider signs with (RFC 7517): those that an ID token may name.
struct JSONWebKeys: Sendable {
  private struct KeySet: Decodable {
    let keys: [JSONWebKey]
  }

  /// No real provider has more keys.
  private static let maxCount = 100

  private let keys: [SignatureKey]

  /// Reads a JWK set; keys of other kinds, for other uses, and invalid ones are left out.
  ///
  /// - Throws: `answer` when it is not a JWK set.
  init(_ bytes: [UInt8]) throws(OAuth2Failure) {
    guard let set = StrictJSON.decode(KeySet.self, bytes), set.keys.count <= Self.maxCount else {
      throw .untrusted(.answer)
    }
    keys = set.keys.compactMap { SignatureKey($0) }
  }

  /// The key that a token names; of a token that names none, the only one of its algorithm.
  func key(named id: String?, for algorithm: SignatureAlgorithm) -> SignatureKey? {
    let fitting = keys.filter { $0.algorithm == algorithm && (id == nil || $0.id == id) }
    return fitting.count == 1 ? fitting[0] : nil
  }
}

/// The members of a JWK that are used.
struct JSONWebKey: Decodable {
  let kty: String
  let use: String?
  let alg: String?
  let kid: String?
  let crv: String?
  let x: String?
  let y: String?
  let n: String?
  let e: String?
}

/// The algorithms that an ID token may be signed with: neither `none` nor one whose key the client would share.
enum SignatureAlgorithm: String, Sendable, Hashable {
  /// RSA with PKCS #1 v1.5 and SHA-256, which every provider has to know.
  case rs256 = "RS256"
  /// ECDSA over P-256 with SHA-256.
  case es256 = "ES256"
  /// Ed25519 (RFC 8037).
  case edDSA = "EdDSA"

  /// The hash that `at_hash` is made with (OpenID Connect Core, section 3.1.3.6): that of the signature.
  func hash(_ text: String) -> [UInt8] {
    switch self {
    case .rs256, .es256: Digest.sha256(text.utf8)
    case .edDSA: Digest.sha512(text.utf8)
    }
  }
}

/// A key that verifies signatures of exactly one algorithm.
struct SignatureKey: Sendable {
  let id: String?
  let algorithm: SignatureAlgorithm
  private let check: @Sendable (_ signature: [UInt8], _ message: [UInt8]) -> Bool

  /// `nil` for a key of another kind or use, and for an invalid one.
  init?(_ key: JSONWebKey) {
    guard key.use == nil || key.use == "sig", let (algorithm, check) = Self.reading(key),
      key.alg == nil || key.alg == algorithm.rawValue
    else { return nil }
    (id, self.algorithm, self.check) = (key.kid, algorithm, check)
  }

  /// Whether `signature` is the key's over `message`.
  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool { check(signature, message) }

  private static func reading(
    _ key: JSONWebKey
  ) -> (SignatureAlgorithm, @Sendable ([UInt8], [UInt8]) -> Bool)? {
    // OpenSSL's reason makes no difference: the key is invalid.
    do throws(OpenSSLError) {
      switch (key.kty, key.crv) {
      case ("RSA", _):
        guard let modulus = bytes(key.n), let exponent = bytes(key.e) else { return nil }
        let key = try RSAKey(modulus: modulus, exponent: exponent)
        return (.rs256, { key.isValid($0, for: $1) })
      case ("EC", "P-256"?):
        guard let x = coordinate(key.x), let y = coordinate(key.y) else { return nil }
        let key = try ECDSAKey(coordinates: x + y)
        return (.es256, { key.isValid(joining: $0, for: $1) })
      case ("OKP", "Ed25519"?):
        guard let x = bytes(key.x), x.count == 32 else { return nil }
        let key = try VerificationKey(publicKey: x)
        return (.edDSA, { key.isValid($0, for: $1) })
      default: return nil
      }
    } catch {
      return nil
    }
  }

  private static func bytes(_ text: String?) -> [UInt8]? { text.flatMap { Base64URL.decode($0) } }

  /// 32 bytes; some providers prepend a zero to numbers whose first bit is set, and some leave leading zeros out.
  private static func coordinate(_ text: String?) -> [UInt8]? {
    guard let digits = bytes(text)?.drop(while: { $0 == 0 }), digits.count <= 32 else { return nil }
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}
