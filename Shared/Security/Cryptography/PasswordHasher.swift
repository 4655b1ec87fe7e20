import Environment
import WorkerPool

/// Hashes and checks passwords on threads of its own, with a bound on how many run at a time; one client's logins get
/// half of them at most, and at least one.
///
/// A hash takes a tenth of a second or more and 32 MiB, so more at once would make all of them slower and use up the
/// memory. No event loop hashes, so a call that needs no hash waits for none.
public struct PasswordHasher: Sendable {
  /// The result of checking a password at a login.
  public struct Verdict: Sendable, Equatable {
    /// Whether the password is right; never `true` for a decoy.
    public let matches: Bool
    /// Whether it is right and its hash should be replaced by one with the current parameters.
    public let needsRehash: Bool
  }

  /// What a hash is made for.
  public enum Purpose: Sendable, Hashable {
    /// A user who has an account.
    case logins
    /// A registration, which any client may request: a quarter of the hashes at a time, and at least one.
    case registrations

    fileprivate var lane: BoundedPool.Lane { self == .logins ? .wide : .narrow }
  }

  /// The parameters of new hashes.
  public let parameters: ScryptParameters
  private let pool: BoundedPool
  private let randomness: any Randomness
  private let decoys: Decoys
  private let observe: @Sendable (ScryptParameters) -> Void

  /// - Parameters:
  ///   - workers: hashes made at a time; more than the process has cores make all of them slower.
  ///   - places: calls that may wait. The default is 16 per worker, a wait of some four seconds, about the longest that
  ///     suits a caller.
  ///   - decoyKey: chooses the parameters of an unknown name's decoy; the same in every replica, so that a name's decoy
  ///     stays the same.
  ///   - observe: called with the parameters of every scrypt computed, on the thread that computed it.
  public init(
    _ parameters: ScryptParameters = .owasp, workers: Int = 4, places: Int? = nil,
    randomness: any Randomness = SystemRandomness(), decoyKey: [UInt8]? = nil,
    observe: @escaping @Sendable (ScryptParameters) -> Void = { _ in }
  ) {
    self.parameters = parameters
    self.randomness = randomness
    self.observe = observe
    let places = places ?? 16 * workers
    pool = BoundedPool(
      label: "tandem.passwords", workers: workers, places: places, narrowWorkers: max(1, workers / 4),
      narrowPlaces: max(1, places / 2))
    decoys = Decoys(parameters, key: decoyKey ?? randomness.bytes(32), randomness)
  }

  /// Makes logins with unknown names take as long as those with known ones, by the parameters that stored hashes have.
  ///
  /// - Parameter stored: how many hashes there are of each; the parameters of new hashes where there is none.
  public func imitate(_ stored: [(parameters: ScryptParameters, count: Int)]) {
    decoys.imitate(stored.isEmpty ? [(parameters, 1)] : stored)
  }

  /// The hash of `password` (NFC, UTF-8) to store.
  ///
  /// - Parameter client: the client that asks for it; clients take turns.
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`, `OpenSSLError`.
  public func hash(
    _ password: [UInt8], for purpose: Purpose = .logins, of client: String? = nil
  ) async throws -> PasswordHash {
    let (parameters, randomness, observe) = (parameters, randomness, observe)
    return try await pool.run(purpose.lane, for: client) { thread in
      let hash = try PasswordHash(of: password, parameters, randomness: randomness, on: thread)
      observe(parameters)
      return hash
    }
  }

  /// Refuses a check that would find no place, before anything else is done for it.
  ///
  /// - Throws: `BoundedPool.Overloaded`.
  public func requirePlace(for client: String) throws(BoundedPool.Overloaded) { try pool.requirePlace(for: client) }

  /// Checks `password` (NFC, UTF-8) against the stored hash.
  ///
  /// - Parameters:
  ///   - stored: `nil` for a user that does not exist: the work is that for a stored hash, and the result is no match
  ///     ([ID-5]).
  ///   - subject: stands for the user's name, so that one name has the same work every time.
  ///   - client: the client that asks for it; clients take turns.
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`, `OpenSSLError`.
  public func verify(
    _ password: [UInt8], against stored: PasswordHash?, of subject: [UInt8] = [], for client: String? = nil
  ) async throws -> Verdict {
    let (parameters, isDecoy, observe) = (parameters, stored == nil, observe)
    let hash = stored ?? decoys.hash(for: subject)
    return try await pool.run(for: client) { thread in
      let matches = try hash.matches(password, on: thread) && !isDecoy
      observe(hash.parameters)
      return Verdict(matches: matches, needsRehash: matches && hash.needsRehash(for: parameters))
    }
  }
}
