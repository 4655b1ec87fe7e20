import Identifiers
import Synchronization

/// Remembers tokens that were verified, and sessions that were ended, so that a call costs one lookup instead of one
/// signature check.
///
/// Bounded without a list of ages: two generations, where a full young one becomes the old one and a token that is
/// still in use moves back at its next lookup. Keys are whole tokens, compared fully and hashed with the process's
/// random key.
public final class VerifiedTokenCache: Sendable {
  private struct Generations<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let half: Int

    init(capacity: Int) {
      half = max(1, capacity / 2)
      young.reserveCapacity(half)
    }

    var isEmpty: Bool { young.isEmpty && old.isEmpty }
    var count: Int { young.count + old.count }

    mutating func value(for key: Key) -> Value? {
      if let value = young[key] { return value }
      guard let value = old.removeValue(forKey: key) else { return nil }
      insert(value, for: key)
      return value
    }

    mutating func insert(_ value: Value, for key: Key) {
      if young.count >= half {
        old = young
        young = Dictionary(minimumCapacity: half)
      }
      young[key] = value
    }

    mutating func remove(_ key: Key) {
      young[key] = nil
      old[key] = nil
    }
  }

  /// A token as a key of the dictionaries.
  private struct Key: Hashable {
    let token: String

    /// Hashes the last bytes of the token alone: part of a signature, they differ as much as the whole does. Only
    /// tokens that were verified are kept, so a client cannot choose tokens that collide.
    func hash(into hasher: inout Hasher) {
      var token = token
      token.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0).suffix(16))) }
    }
  }

  private struct State {
    var tokens: Generations<Key, AccessClaims>
    /// For each ended session, the time until which one of its tokens could still be good.
    var ended: [UUID7: Instant] = [:]
    var nextSweep = Instant(microseconds: .min)
  }

  /// What the cache knows about a token.
  public enum Finding: Sendable, Equatable {
    /// Verified before, and still good.
    case good(AccessClaims)
    /// Verified before, and not good any more.
    case refused(TokenRefusal)
    /// Not in the cache; the caller has to verify it.
    case unknown
  }

  private let state: Mutex<State>
  private let capacity: Int

  /// A cache of at most `capacity` tokens, about a kilobyte each.
  public init(capacity: Int) {
    self.capacity = capacity
    state = Mutex(State(tokens: Generations(capacity: capacity)))
  }

  /// How many tokens it holds.
  public var count: Int { state.withLock { $0.tokens.count } }

  /// What is known of `token` at `now`.
  public func find(_ token: String, at now: Instant) -> Finding {
    state.withLock { state in
      guard let claims = state.tokens.value(for: Key(token: token)) else { return .unknown }
      let refusal = Self.refusal(claims, in: state, at: now)
      guard let refusal else { return .good(claims) }
      state.tokens.remove(Key(token: token))
      return .refused(refusal)
    }
  }

  /// Keeps a token that was just verified; `revoked` when its session was ended meanwhile.
  public func insert(_ token: String, _ claims: AccessClaims, at now: Instant) -> TokenRefusal? {
    state.withLock { state in
      let refusal = Self.refusal(claims, in: state, at: now)
      if refusal == nil { state.tokens.insert(claims, for: Key(token: token)) }
      return refusal
    }
  }

  /// From now on no token of `session` is good.
  ///
  /// - Parameter lifetime: the longest remaining lifetime of a token issued before now; the session is remembered that
  ///   long.
  public func end(session: UUID7, at now: Instant, lifetime: Duration) {
    state.withLock { state in
      state.ended[session] = now + lifetime
      guard now >= state.nextSweep else { return }
      state.ended = state.ended.filter { $0.value > now }
      state.nextSweep = now + lifetime
    }
  }

  /// Forgets every token, because the keys that verified them changed; ended sessions stay ended.
  public func forgetTokens() {
    state.withLock { $0.tokens = Generations(capacity: capacity) }
  }

  private static func refusal(_ claims: AccessClaims, in state: borrowing State, at now: Instant) -> TokenRefusal? {
    if now >= claims.expiresAt { return .expired }
    return !state.ended.isEmpty && state.ended[claims.session] != nil ? .revoked : nil
  }
}
