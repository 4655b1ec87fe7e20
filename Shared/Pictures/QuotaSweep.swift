public import Ambient
public import Logging
public import Postgres
import Repetition
public import ServiceLifecycle

/// Forgets counts of uploads that are over: once when a service starts, then every ten minutes.
///
/// Nothing depends on its being prompt: a count that is over begins anew, whether or not it came by.
public struct QuotaSweep: Service {
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger

  private static let interval: Duration = .seconds(600)
  /// Rows removed at a time: few enough that nobody waits for their locks.
  private static let batch = 500

  /// Sweeps the table `picture_quotas` of `database`.
  public init(database: Database, clock: any WallClock, logger: Logger) {
    self.database = database
    self.clock = clock
    self.logger = logger
  }

  /// Sweeps until the service stops.
  public func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "a sweep of old counts did not end") { _ in
      let statement = DeleteOldQuotas(now: clock.now, limit: Self.batch)
      while try await database.write(statement).count == Self.batch { try Task.checkCancellation() }
    }
  }
}
