public import Environment
public import Logging
public import Postgres
import PeriodicTask
public import ServiceLifecycle

/// Removes what has expired: once when a service starts, then every ten minutes.
///
/// Nothing may depend on its being prompt: whoever reads such rows leaves out by their time those that it has not come to yet.
public struct ExpirySweep: Service {
  private let statements: [any ExpiryStatement.Type]
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger

  private static let interval: Duration = .seconds(600)
  /// Rows removed at a time: few enough that nobody waits for their locks.
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

  /// One table that cannot be swept does not keep the others from it.
  private func sweep() async throws {
    var failure: (any Error)?
    for statement in statements {
      do { try await removeAll(statement) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func removeAll<Removal: ExpiryStatement>(_ removal: Removal.Type) async throws {
    let statement = Removal(now: clock.now, limit: Self.batch)
    while try await database.write(statement).count == Self.batch { try Task.checkCancellation() }
  }
}
