import Identifiers
import Synchronization

/// Decides for a service whether a bearer token is good, without a call to identity.
public final class TokenVerifier: Sendable {
  private let realm: TokenRealm
  private let keys: Mutex<[String: VerificationKey]>
  private let cache: VerifiedTokenCache
  private let maxLifetime: Duration

  /// - Parameters:
  ///   - maxLifetime: the longest lifetime of a token of this realm; ended sessions are remembered that long.
  ///   - capacity: tokens remembered at a time.
  public init(
    _ keys: [VerificationKey], realm: TokenRealm = .tandem, maxLifetime: Duration = .seconds(600),
    capacity: Int = 65_536
  ) {
    self.realm = realm
    self.maxLifetime = maxLifetime
    self.keys = Mutex(Self.byID(keys))
    cache = VerifiedTokenCache(capacity: capacity)
  }

  /// The claims of `token` when it is good at `now`.
  public func verify(_ token: String, at now: Instant) throws(TokenRefusal) -> AccessClaims {
    switch cache.find(token, at: now) {
    case .good(let claims): return claims
    case .refused(let refusal): throw refusal
    case .unknown: break
    }
    let claims = try AccessToken.verify(token, for: realm, keys: keys.withLock { $0 }, at: now)
    if let refusal = cache.insert(token, claims, at: now) { throw refusal }
    return claims
  }

  /// Whether `token` names a key that is not among those accepted: perhaps a new one, perhaps an invented one.
  public func lacksKey(of token: String) -> Bool {
    guard let id = JSONWebSignature(token)?.header.kid else { return false }
    return keys.withLock { $0[id] == nil }
  }

  /// From now on every token of `session` is refused as revoked ([ID-7]).
  public func end(session: UUID7, at now: Instant) {
    // A token from a machine whose clock is ahead expires that much later.
    cache.end(session: session, at: now, lifetime: maxLifetime + AccessToken.clockTolerance)
  }

  /// Accepts these keys and no others from now on.
  public func replaceKeys(_ keys: [VerificationKey]) {
    self.keys.withLock { $0 = Self.byID(keys) }
    cache.forgetTokens()
  }

  private static func byID(_ keys: [VerificationKey]) -> [String: VerificationKey] {
    Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
