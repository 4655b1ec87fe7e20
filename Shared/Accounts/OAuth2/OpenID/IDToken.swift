import Base64
import Cryptography
public import Identifiers

/// The identity of a user, signed by an OpenID provider (OpenID Connect Core 1.0, section 2).
public struct IDToken: Sendable, Equatable {
  /// The provider's permanent id of the user: 1 to 255 characters of ASCII.
  public let subject: String
  /// The user's e-mail address, where the provider includes it.
  public let email: String?
  /// Whether the provider has verified that the address is the user's.
  public let isEmailVerified: Bool
  /// When the user last authenticated to the provider; `nil` where it does not say.
  public let provedAt: Instant?

  /// The values that an ID token must match.
  struct Expectation {
    let issuer: String
    let clientID: String
    let nonce: String
    /// The access token that was issued with it.
    let accessToken: String
    let now: Instant
  }

  private struct Header: Decodable {
    let alg: String
    let kid: String?
    let typ: String?
    /// Extensions that must be understood. None is supported (RFC 7515, section 4.1.11).
    let crit: [String]?
  }

  private struct Claims: Decodable {
    let iss: String
    let sub: String
    let aud: Audience
    let azp: String?
    let exp: Double
    let iat: Double
    let nonce: String?
    let atHash: String?
    let email: String?
    let emailVerified: LooseFlag?
    let authTime: Double?

    enum CodingKeys: String, CodingKey {
      case iss, sub, aud, azp, exp, iat, nonce, email
      case atHash = "at_hash"
      case emailVerified = "email_verified"
      case authTime = "auth_time"
    }
  }

  /// Bytes; longer tokens are refused without being parsed.
  private static let maxLength = 16_384
  /// How far the provider's clock may be ahead.
  private static let clockTolerance: Duration = .seconds(60)
  /// An ID token is fetched as soon as the browser is back: an older one belongs to another attempt.
  private static let oldest: Duration = .seconds(600)
  /// Seconds since 1970. Years beyond this are in no real token, and would overflow as microseconds.
  private static let plausible: ClosedRange<Double> = 0...253_402_300_799

  /// Parses the token, and names the algorithm and key that it claims to be signed with.
  struct Unverified {
    let algorithm: SignatureAlgorithm
    let keyID: String?
    fileprivate let payload: [UInt8]
    fileprivate let signature: [UInt8]
    fileprivate let signingInput: [UInt8]

    init(_ text: String) throws(OAuth2Failure) {
      guard text.utf8.count <= maxLength else { throw .untrusted(.token) }
      let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard parts.count == 3, let headerBytes = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
        let signature = Base64URL.decode(parts[2]), let header = StrictJSON.decode(Header.self, headerBytes),
        header.crit == nil, header.typ.map({ $0.lowercased() == "jwt" }) ?? true
      else { throw .untrusted(.token) }
      guard let algorithm = SignatureAlgorithm(rawValue: header.alg) else { throw .untrusted(.algorithm) }
      (self.algorithm, keyID, self.payload, self.signature) = (algorithm, header.kid, payload, signature)
      signingInput = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }
  }

  /// The steps of OpenID Connect Core, section 3.1.3.7.
  init(_ token: Unverified, signedBy key: SignatureKey, _ expected: Expectation) throws(OAuth2Failure) {
    guard key.isValid(token.signature, for: token.signingInput) else { throw .untrusted(.signature) }
    guard let claims = StrictJSON.decode(Claims.self, token.payload),
      (1...255).contains(claims.sub.utf8.count), claims.sub.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      claims.authTime.map({ Self.plausible.contains($0) }) ?? true
    else { throw .untrusted(.token) }
    guard claims.iss == expected.issuer else { throw .untrusted(.tokenIssuer) }
    // No other audience is trusted.
    guard claims.aud.names == [expected.clientID], claims.azp.map({ $0 == expected.clientID }) ?? true else {
      throw .untrusted(.audience)
    }
    try Self.checkTimes(claims, at: expected.now)
    guard let nonce = claims.nonce, Digest.constantTimeEquals(Array(nonce.utf8), Array(expected.nonce.utf8)) else {
      throw .untrusted(.nonce)
    }
    if let hash = claims.atHash {
      let whole = token.algorithm.hash(expected.accessToken)
      guard Base64URL.encode(Array(whole.prefix(whole.count / 2))) == hash else {
        throw .untrusted(.accessTokenHash)
      }
    }
    subject = claims.sub
    email = claims.email
    isEmailVerified = claims.emailVerified?.isSet ?? false
    // The provider's clock may be ahead.
    provedAt = claims.authTime.map { min(Self.instant($0), expected.now) }
  }

  private static func checkTimes(_ claims: Claims, at now: Instant) throws(OAuth2Failure) {
    guard plausible.contains(claims.exp), now < instant(claims.exp) else { throw .untrusted(.expiry) }
    guard plausible.contains(claims.iat), instant(claims.iat) <= now + clockTolerance,
      now <= instant(claims.iat) + oldest + clockTolerance
    else { throw .untrusted(.issueTime) }
  }

  private static func instant(_ seconds: Double) -> Instant { Instant(microseconds: Int64(seconds) * 1_000_000) }
}

/// One name, or a list of them.
private struct Audience: Decodable {
  let names: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { names = [try container.decode(String.self)] } catch { names = try container.decode([String].self) }
  }
}

/// `true`, which some providers write as a text.
private struct LooseFlag: Decodable {
  let isSet: Bool

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { isSet = try container.decode(Bool.self) } catch { isSet = try container.decode(String.self) == "true" }
  }
}
