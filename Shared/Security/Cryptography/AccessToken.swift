import Environment
import FoundationEssentials
import Identifiers

/// What an access token says about its bearer.
public struct AccessClaims: Sendable, Hashable {
  /// The user whose token it is (`sub`).
  public let subject: UUID7
  /// The login session it belongs to (`sid`); ending the session ends the token.
  public let session: UUID7
  /// The token's own id (`jti`).
  public let tokenID: UUID7
  /// When it was made (`iat`), to the second.
  public let issuedAt: Instant
  /// What it permits (`scope`), as values separated by spaces.
  public let expiresAt: Instant
  /// What it is good for (`scope`), words separated by spaces.
  public let scope: String

  /// Claims with times cut to seconds, the precision of a token.
  public init(subject: UUID7, session: UUID7, tokenID: UUID7, issuedAt: Instant, expiresAt: Instant, scope: String) {
    (self.subject, self.session, self.tokenID, self.scope) = (subject, session, tokenID, scope)
    self.issuedAt = Instant(microseconds: issuedAt.wholeSeconds * 1_000_000)
    self.expiresAt = Instant(microseconds: expiresAt.wholeSeconds * 1_000_000)
  }
}

/// The issuer, audience and scope that a token must have.
public struct TokenRealm: Sendable, Hashable {
  /// `iss`.
  public let issuer: String
  /// `aud`.
  public let audience: String
  /// The value that `scope` has to contain: the bearer may do everything that the subject may. A token with less is
  /// refused, as no narrower scope is defined.
  public let scope: String

  public init(issuer: String, audience: String, scope: String) {
    (self.issuer, self.audience, self.scope) = (issuer, audience, scope)
  }

  /// Tokens that identity issues for the suite's services.
  public static let tandem = TokenRealm(issuer: "tandem-identity", audience: "tandem", scope: "user")
}

/// Why a token is refused; each is UNAUTHENTICATED to the caller ([C-1]).
public enum TokenRefusal: Error, Sendable, Hashable {
  /// Not one of our tokens: unreadable, another algorithm, an unknown key, a wrong signature, another realm.
  case invalid
  /// Was good until `expiresAt`.
  case expired
  /// Its session was ended.
  case revoked
}

/// Signed access tokens: JWT (RFC 7519) with EdDSA (RFC 8037), type `at+jwt` (RFC 9068).
public enum AccessToken {
  /// How far clocks of two machines may differ before a token seems to come from the future.
  static let clockTolerance: Duration = .seconds(60)
  private static let type = "at+jwt"

  private struct Payload: Codable {
    let iss: String
    let aud: String
    let sub: String
    let sid: String
    let jti: String
    let iat: Int64
    let exp: Int64
    let scope: String
  }

  /// The token of `claims`, to be carried as a bearer token.
  public static func sign(_ claims: AccessClaims, for realm: TokenRealm, with key: SigningKey) throws -> String {
    let payload = Payload(
      iss: realm.issuer, aud: realm.audience, sub: claims.subject.description, sid: claims.session.description,
      jti: claims.tokenID.description, iat: claims.issuedAt.wholeSeconds, exp: claims.expiresAt.wholeSeconds,
      scope: claims.scope)
    return try JSONWebSignature.sign(try StrictJSON.encode(payload), type: type, with: key)
  }

  /// The claims of a token that one of `keys` signed for `realm` and that is good at `now`.
  ///
  /// Does not check whether the session has ended: `TokenVerifier` does.
  public static func verify(
    _ token: String, for realm: TokenRealm, keys: [String: VerificationKey], at now: Instant
  ) throws(TokenRefusal) -> AccessClaims {
    guard let signed = JSONWebSignature(token), signed.header.typ == type, let id = signed.header.kid,
      let key = keys[id], key.isValid(signed.signature, for: signed.signingInput),
      let payload = StrictJSON.decode(Payload.self, signed.payload),
      payload.iss == realm.issuer, payload.aud == realm.audience,
      payload.scope.split(separator: " ").contains(realm.scope[...]), let claims = claims(payload),
      claims.issuedAt <= now + clockTolerance
    else { throw .invalid }
    guard now < claims.expiresAt else { throw .expired }
    return claims
  }

  private static func claims(_ payload: Payload) -> AccessClaims? {
    // Years beyond this are in no token of ours, and would overflow as microseconds.
    let plausible = Int64(0)...253_402_300_799
    guard let subject = UUID7(payload.sub), let session = UUID7(payload.sid), let id = UUID7(payload.jti),
      plausible.contains(payload.iat), plausible.contains(payload.exp), payload.iat < payload.exp
    else { return nil }
    return AccessClaims(
      subject: subject, session: session, tokenID: id, issuedAt: Instant(microseconds: payload.iat * 1_000_000),
      expiresAt: Instant(microseconds: payload.exp * 1_000_000), scope: payload.scope)
  }
}
