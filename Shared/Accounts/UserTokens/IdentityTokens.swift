import AsyncSignal
public import Environment
import Cryptography
import Events
import Identifiers
public import Logging
public import ServiceLifecycle
import Synchronization
public import TTRPC
import TandemEvents
import TandemIdentity

/// Authenticates users by the access tokens of identity, from memory alone ([C-1], [ID-7]).
///
/// Identity's keys and the ended sessions are followed in the background; until both are known the answer is
/// UNAVAILABLE. After that identity may be unavailable: tokens are verified by what was known last.
public final class IdentityTokens: Authenticator, Service {
  private let channel: any RPCChannel
  private let clock: any WallClock
  private let logger: Logger
  private let shortestInterval: Duration
  private let verifier = TokenVerifier([])
  private let known = Mutex(Known())
  private let wish = AsyncSignal()

  private struct Known {
    /// The ids of the keys.
    var keys: Set<String> = []
    var hasEndedSessions = false
    /// When the keys were last fetched.
    var fetched: ContinuousClock.Instant?

    var isComplete: Bool { !keys.isEmpty && hasEndedSessions }
  }

  /// The lifetime of a token, and a minute for clocks that differ.
  private static let window = Duration.seconds(660)
  /// Less than half of the time between the publication of a new key and its first use.
  private static let keysKept = Duration.seconds(300)
  /// A fetch that takes its time, or fails a few times, is no reason to doubt the keys; less than the time between the
  /// publication of a new key and its first use.
  private static let keysTrusted = Duration.seconds(600)
  private static let pauseAfterFailure = Duration.milliseconds(200)

  /// - Parameters:
  ///   - channel: the channel to identity, authenticated as this service.
  ///   - shortestInterval: between two fetches of keys. A token may name any key, and unauthenticated clients must not
  ///     make this service ask identity more often than that.
  public init(
    through channel: any RPCChannel, clock: any WallClock, logger: Logger,
    lookingForKeysEvery shortestInterval: Duration = .seconds(10)
  ) {
    self.channel = channel
    self.shortestInterval = shortestInterval
    self.clock = clock
    self.logger = logger
  }

  /// `nil` when tokens can be checked, else why not; a readiness check.
  public var unhealthyReason: String? {
    known.withLock { $0.isComplete } ? nil : "identity's keys and ended sessions have not been learnt yet"
  }

  /// The user that a token was issued to. No service has a token here: services authenticate by certificates.
  public func caller(provenBy token: Substring, for access: Access) throws(Status) -> Caller {
    guard access == .user else { throw .serviceTokenRequired }
    guard known.withLock({ $0.isComplete }) else { throw .unavailable("The service is starting") }
    let token = String(token)
    do {
      let claims = try verifier.verify(token, at: clock.now)
      return Caller(subject: claims.subject.description, sessionID: claims.session.description)
    } catch {
      guard error == .invalid, verifier.lacksKey(of: token) else { throw error.status }
      wishForKeys()
      // Nothing is known about a key that may have been published since the keys were last fetched.
      guard knowsEveryKeyInUse else { throw .unavailable("The token's key is being looked up") }
      throw error.status
    }
  }

  /// Whether every key that signs was fetched: a key is published long before it signs, so one that is not among keys
  /// of a few minutes is invented.
  private var knowsEveryKeyInUse: Bool {
    known.withLock { known in known.fetched.map { ContinuousClock.now - $0 < Self.keysTrusted } ?? false }
  }

  /// Requests another fetch of the keys, unless there was one a moment ago: identity may have been set up anew.
  private func wishForKeys() {
    let isDue = known.withLock { known in
      guard let fetched = known.fetched else { return true }
      return ContinuousClock.now - fetched >= shortestInterval
    }
    if isDue { wish.send() }
  }

  /// Follows identity until the service stops.
  public func run() async throws {
    let sessions = RecentEvents(
      SessionRevoked.self, within: Self.window, through: channel, logger: logger,
      see: { self.end($0) }, caughtUp: { self.known.withLock { $0.hasEndedSessions = true } })
    try await withThrowingTaskGroup { group in
      group.addTask { try await sessions.run() }
      group.addTask { await cancelWhenGracefulShutdown { await self.followKeys() } }
      try await group.waitForAll()
    }
  }

  private func end(_ event: SessionRevoked) {
    guard let session = UUID7(event.sessionID) else {
      return logger.error("identity told of a session that ended without its id")
    }
    verifier.end(session: session, at: clock.now)
  }

  // MARK: Keys

  private func followKeys() async {
    await withTaskGroup { group in
      group.addTask {
        repeat { self.wish.send() } while await Self.slept(Self.keysKept)
      }
      for await _ in wish { await fetchKeysUntilTheyAreThere() }
      group.cancelAll()
    }
  }

  private func fetchKeysUntilTheyAreThere() async {
    repeat {
      do { return try await fetchKeys() } catch {
        logger.debug("identity's keys could not be fetched", metadata: ["cause": "\(error)"])
      }
    } while await Self.slept(Self.pauseAfterFailure)
  }

  /// Waits; `false` when the task was cancelled meanwhile.
  private static func slept(_ time: Duration) async -> Bool {
    // The wait that the caller asked for.
    do { try await Task.sleep(for: time) } catch { return false }
    return true
  }

  private func fetchKeys() async throws {
    let answer = try await AccountsClient(channel).listKeys(ListKeysRequest(), CallOptions(timeout: .seconds(5)))
    let keys = try answer.keys.filter { $0.algorithm == "EdDSA" }.map {
      try Cryptography.VerificationKey(publicKey: $0.publicKey)
    }
    let ids = Set(keys.map(\.id))
    // Replacing the keys drops the cache of verified tokens, so it is done only when they differ.
    if known.withLock({ $0.keys != ids }) { verifier.replaceKeys(keys) }
    known.withLock { known in
      known.keys = ids
      known.fetched = .now
    }
  }
}

extension Status {
  fileprivate static let serviceTokenRequired = Status(
    .permissionDenied, reason: "SERVICE_TOKEN_REQUIRED", "Only services of the suite may call this method")
}
