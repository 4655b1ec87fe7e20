import Ambient
import Logging
import Postgres
import Repetition
import ServiceLifecycle

/// Removes answers that need not be given again: once when a service starts, then every ten minutes.
///
/// Nothing depends on its being prompt: what is older than a day is not given again, whether or not it came by.
public struct ReplaySweep: Service {
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger

  private static let interval: Duration = .seconds(600)
  /// Rows removed at a time: few enough that nobody waits for their locks.
  private static let batch = 500

  /// Sweeps the table `replays` of `database`.
  public init(database: Database, clock: any WallClock, logger: Logger) {
    self.database = database
    self.clock = clock
    self.logger = logger
  }

  /// Sweeps until the service stops.
  public func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "a sweep of old answers did not end") { _ in
      let statement = DeleteOldReplays(now: clock.now, limit: Self.batch)
      while try await database.write(statement).count == Self.batch { try Task.checkCancellation() }
    }
  }
}
