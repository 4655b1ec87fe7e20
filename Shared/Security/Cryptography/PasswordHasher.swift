import Environment
import WorkerPool

/// Hashes and checks passwords on threads of its own, so many at a time, and half of them at most, one at least, for one client's logins.
///
/// A hash takes a tenth of a second or more and 32 MiB, so more at once would make all of them slower and eat the memory. The
/// threads give way to the others, for a call that needs no hash is not to wait for cores that hash.
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
    /// A user, who has an account.
    case logins
    /// A client that registers, as any may: a quarter of the hashes at a time, and one at least.
    case registrations

    fileprivate var lane: BoundedPool.Lane { self == .logins ? .wide : .narrow }
  }

  /// What new hashes are made with.
  public let parameters: ScryptParameters
  private let pool: BoundedPool
  private let randomness: any Randomness
  private let decoys: Decoys
  private let observe: @Sendable (ScryptParameters) -> Void

  /// - Parameters:
  ///   - workers: hashes made at a time; more than the process has cores make all of them slower.
  ///   - places: calls that may wait. The default of 16 a worker is some four seconds' wait, about what a caller bears.
  ///   - decoyKey: by which it is chosen what an unknown name's hash is like; every replica's the same, so that it stays the same.
  ///   - observe: told of every scrypt computed, with what it cost, on the thread that computed it.
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
      label: "tandem.passwords", workers: workers, places: places, priority: .utility,
      narrowWorkers: max(1, workers / 4), narrowPlaces: max(1, places / 2))
    decoys = Decoys(parameters, key: decoyKey ?? randomness.bytes(32), randomness)
  }

  /// Has unknown names' logins take as long as those of known ones: by the parameters that stored hashes have.
  ///
  /// - Parameter stored: how many hashes there are of each; what new hashes are made with where there is none.
  public func imitate(_ stored: [(parameters: ScryptParameters, count: Int)]) {
    decoys.imitate(stored.isEmpty ? [(parameters, 1)] : stored)
  }

  /// The hash of `password` (NFC, UTF-8) to store.
  ///
  /// - Parameter client: who asks for it: clients take turns.
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`, `OpenSSLError`.
  public func hash(
    _ password: [UInt8], for purpose: Purpose = .logins, of client: String? = nil
  ) async throws -> PasswordHash {
    let (parameters, randomness, observe) = (parameters, randomness, observe)
    return try await pool.run(purpose.lane, for: client) {
      let hash = try PasswordHash(of: password, parameters, randomness: randomness)
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
  ///   - stored: `nil` for a user there is none of: the work is that for a stored hash, and the answer is no ([ID-5]).
  ///   - subject: what stands for the user's name, by which the same name has the same work every time.
  ///   - client: who asks: clients take turns.
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`, `OpenSSLError`.
  public func verify(
    _ password: [UInt8], against stored: PasswordHash?, of subject: [UInt8] = [], for client: String? = nil
  ) async throws -> Verdict {
    let (parameters, isDecoy, observe) = (parameters, stored == nil, observe)
    let hash = stored ?? decoys.hash(for: subject)
    return try await pool.run(for: client) {
      let matches = try hash.matches(password) && !isDecoy
      observe(hash.parameters)
      return Verdict(matches: matches, needsRehash: matches && hash.needsRehash(for: parameters))
    }
  }
}
