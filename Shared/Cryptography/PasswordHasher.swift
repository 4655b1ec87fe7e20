import Ambient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Hashes and checks passwords on threads of its own, at most one per core at a time.
///
/// A hash takes tens of milliseconds and 32 MiB, so more at once would make all of them slower and eat the memory.
public struct PasswordHasher: Sendable {
  /// What a login needs to know about the password it was given.
  public struct Verdict: Sendable, Equatable {
    /// Whether the password is right; never `true` for a decoy.
    public let matches: Bool
    /// Whether it is right and its hash should be replaced by one with the current parameters.
    public let needsRehash: Bool
  }

  /// For whom a hash is made.
  public enum Purpose: Sendable, Hashable {
    /// Somebody who has an account.
    case logins
    /// Somebody who wants one, which anybody may at any rate: a quarter of the hashes at a time, and one at least.
    case registrations

    fileprivate var lane: BoundedPool.Lane { self == .logins ? .wide : .narrow }
  }

  /// What new hashes are made with.
  public let parameters: ScryptParameters
  private let pool: BoundedPool
  private let randomness: any Randomness
  private let decoy: PasswordHash
  private let observe: @Sendable (ScryptParameters) -> Void

  /// - Parameters:
  ///   - workers: hashes made at a time; one per core when `nil`.
  ///   - places: calls that may wait. The default of 16 a worker is some four seconds' wait, about what a caller bears.
  ///   - observe: told of every scrypt computed, with what it cost, on the thread that computed it.
  public init(
    _ parameters: ScryptParameters = .owasp, workers: Int? = nil, places: Int? = nil,
    randomness: any Randomness = SystemRandomness(), observe: @escaping @Sendable (ScryptParameters) -> Void = { _ in }
  ) {
    let workers = workers ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    self.parameters = parameters
    self.randomness = randomness
    self.observe = observe
    let places = places ?? 16 * workers
    pool = BoundedPool(
      label: "tandem.passwords", workers: workers, places: places, narrowWorkers: max(1, workers / 4),
      narrowPlaces: max(1, places / 4))
    // No password has this hash: it is random, not computed.
    decoy = PasswordHash(parameters: parameters, salt: randomness.bytes(16), hash: randomness.bytes(32))
  }

  /// The hash of `password` (NFC, UTF-8) to store.
  ///
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`, `OpenSSLError`.
  public func hash(_ password: [UInt8], for purpose: Purpose = .logins) async throws -> PasswordHash {
    let (parameters, randomness, observe) = (parameters, randomness, observe)
    return try await pool.run(purpose.lane) {
      let hash = try PasswordHash(of: password, parameters, randomness: randomness)
      observe(parameters)
      return hash
    }
  }

  /// Checks `password` (NFC, UTF-8) against the stored hash.
  ///
  /// - Parameter stored: `nil` for a user there is none of: the same work is done, and the answer is no ([ID-5]).
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`, `OpenSSLError`.
  public func verify(_ password: [UInt8], against stored: PasswordHash?) async throws -> Verdict {
    let (parameters, hash, isDecoy, observe) = (parameters, stored ?? decoy, stored == nil, observe)
    return try await pool.run {
      let matches = try hash.matches(password) && !isDecoy
      observe(hash.parameters)
      return Verdict(matches: matches, needsRehash: matches && hash.needsRehash(for: parameters))
    }
  }
}
