import Identifiers
public import Logging
import Metrics
import Postgres
public import ServiceLifecycle
import Synchronization

/// Removes events that are old and that every known consumer has acknowledged, and forgets consumers that stay away.
///
/// Both are measured by a time of its own, stored in the database. It advances by what has passed on the database's
/// clock since the last sweep, as far as this process's monotonic clock agrees: setting a clock forward removes nothing
/// early, and while no service runs, when no consumer could connect, the time stands still.
public struct EventRetention: Service {
  private let database: Database
  private let epochs: EventEpochs
  private let connected: ConnectedConsumers
  private let kept: Duration
  private let consumerTimeout: Duration
  private let logger: Logger
  private let removed = Counter(label: "events_removed")
  private let elapsed = Stopwatch()

  private static let interval = Duration.seconds(300)
  /// Rows removed at a time: few enough that other transactions hardly wait for their locks.
  private static let batch = 1_000
  /// The most that two correct clocks differ by between two sweeps.
  private static let tolerance = Duration.seconds(60)

  /// - Parameters:
  ///   - log: the log whose events are removed; its connected followers are not forgotten.
  ///   - kept: how long events are kept at least.
  ///   - consumerTimeout: how long a consumer may stay away before events are removed that it has not received.
  public init(of log: EventLog, kept: Duration, consumerTimeout: Duration, logger: Logger) {
    database = log.database
    connected = log.connected
    epochs = EventEpochs(of: log.database, logger: logger)
    self.kept = kept
    self.consumerTimeout = consumerTimeout
    self.logger = logger
  }

  /// Sweeps every five minutes until the service stops.
  public func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do { try await sweep() } catch {
          // The service as a whole reports that the database is unavailable.
          logger.debug("events were not swept", metadata: ["cause": "\(error)"])
        }
        // It throws only the cancellation that ends the loop.
        do { try await Task.sleep(for: Self.interval) } catch { return }
      }
    }
  }

  /// Removes everything that is due for removal.
  public func sweep() async throws {
    try await epochs.check()
    try await advance()
    let forgotten = ForgetConsumers(consumerTimeout: consumerTimeout, connected: connected.names)
    for consumer in try await database.write(forgotten) {
      logger.warning(
        "a consumer of events stayed away too long and is forgotten", metadata: ["consumer": "\(consumer)"])
    }
    while true {
      let count = try await database.transaction { tx in
        // A consumer that subscribes meanwhile waits, and then sees what was removed.
        try await tx.execute(LockRemovals())
        return try await tx.first(RemoveEvents(kept: kept, limit: Self.batch)) ?? 0
      }
      removed.increment(by: count)
      if count < Self.batch { return }
      try Task.checkCancellation()
    }
  }

  /// Advances the retention time, by as much as both clocks agree on.
  private func advance() async throws {
    let elapsed = elapsed.lap()
    guard let advance = try await database.write(AdvanceRetention(elapsed: elapsed)).first else { return }
    let (passed, counted) = (Duration.microseconds(advance.passed), Duration.microseconds(advance.counted))
    // After a start nothing can be concluded: the monotonic clock did not measure the time before.
    guard elapsed > .zero, passed - counted > Self.tolerance || passed + Self.tolerance < .zero else { return }
    logger.warning(
      "the database's clock was set; events are kept by the time that has passed in truth",
      metadata: ["by_seconds": "\((passed - counted).components.seconds)"])
  }
}

/// Measures the time between calls, by the monotonic clock.
private final class Stopwatch: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  /// The time since the last call; zero at the first.
  func lap() -> Duration {
    let now = ContinuousClock.now
    return last.withLock { last in
      defer { last = now }
      return last.map { now - $0 } ?? .zero
    }
  }
}

// MARK: Statements

extension AdvanceRetention {
  init(elapsed: Duration) { self.init(elapsedMicroseconds: elapsed.wholeMicroseconds) }
}

extension ForgetConsumers {
  init(consumerTimeout: Duration, connected: [String]) {
    self.init(timeoutMicroseconds: consumerTimeout.wholeMicroseconds, connected: connected)
  }
}

extension RemoveEvents {
  init(kept: Duration, limit: Int) {
    self.init(limit: Int64(limit), keptMicroseconds: kept.wholeMicroseconds)
  }
}
