public import Environment
public import Logging
public import Postgres
import Identifiers
import PeriodicTask
public import ServiceLifecycle

/// Removes expired rows: once when a service starts, then every ten minutes.
///
/// Nothing may depend on its being prompt: queries exclude by their time the expired rows that are not removed yet.
public struct ExpirySweep: Service {
  private let statements: [any ExpiryStatement.Type]
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger

  private static let interval: Duration = .seconds(600)
  /// Rows removed at a time: few enough that other transactions hardly wait for their locks.
  private static let batch = 500

  /// Sweeps the tables of `statements`, in their order, in `database`.
  public init(
    of statements: [any ExpiryStatement.Type], database: Database, clock: any WallClock, logger: Logger
  ) {
    self.statements = statements
    self.database = database
    self.clock = clock
    self.logger = logger
  }

  /// Sweeps until the service stops.
  public func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "a sweep of what has expired did not end") { _ in
      try await sweep()
    }
  }

  /// A failure in one table does not keep the others from being swept.
  private func sweep() async throws {
    var failure: (any Error)?
    let now = try await database.trusted(clock.now)
    for statement in statements {
      do { try await removeAll(statement, at: now) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func removeAll<Removal: ExpiryStatement>(_ removal: Removal.Type, at now: Instant) async throws {
    let statement = Removal(expiredAt: now, limit: Self.batch)
    while try await database.write(statement).count == Self.batch { try Task.checkCancellation() }
  }
}
