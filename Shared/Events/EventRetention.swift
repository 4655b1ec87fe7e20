public import Ambient
import Identifiers
public import Logging
import Metrics
public import Postgres
public import ServiceLifecycle

/// Removes events that are old and that every known consumer has dealt with, and forgets consumers that stay away.
public struct EventRetention: Service {
  private let database: Database
  private let clock: any WallClock
  private let kept: Duration
  private let patience: Duration
  private let logger: Logger
  private let removed = Counter(label: "events_removed")

  private static let interval = Duration.seconds(300)
  /// Rows removed at a time: few enough that nobody waits for their locks.
  private static let batch = 1_000

  /// - Parameters:
  ///   - kept: how long events are kept at least.
  ///   - patience: how long a consumer may stay away before events are removed that it has not got.
  public init(database: Database, clock: any WallClock, kept: Duration, patience: Duration, logger: Logger) {
    self.database = database
    self.clock = clock
    self.kept = kept
    self.patience = patience
    self.logger = logger
  }

  /// Sweeps every five minutes until the service stops.
  public func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do { try await sweep() } catch {
          // Of a database that is away the service as a whole has its say.
          logger.debug("events were not swept", metadata: ["cause": "\(error)"])
        }
        // What is thrown is the cancellation that ends the loop.
        do { try await Task.sleep(for: Self.interval) } catch { return }
      }
    }
  }

  /// Removes all there is to remove now.
  public func sweep() async throws {
    let now = clock.now
    for consumer in try await database.write(ForgetConsumers(before: now - patience)) {
      logger.warning(
        "a consumer of events stayed away too long and is forgotten", metadata: ["consumer": "\(consumer)"])
    }
    while true {
      let count = try await database.transaction { tx in
        // Who subscribes meanwhile waits, and then sees what was removed.
        try await tx.execute(LockRemovals())
        return try await tx.first(RemoveEvents(before: now - kept, limit: Self.batch)) ?? 0
      }
      removed.increment(by: count)
      if count < Self.batch { return }
      try Task.checkCancellation()
    }
  }
}
