public import Logging
import PeriodicTask
public import Postgres
public import ServiceLifecycle

/// Removes in parts what is left of users who deleted their accounts ([C-9]), each part in a transaction of its own.
///
/// The deletion marks the user, whom no user sees from then on; so it takes as long for a user of whom much is stored as
/// for others. A part is chosen by chance among the users, so that none waits for ever behind one whose removal fails.
public struct Erasures: Service {
  private let database: Database
  private let logger: Logger
  private let some: @Sendable (Transaction) async throws -> Bool

  /// How soon after a deletion the first part is removed, and a failed one is tried again.
  private static let interval = Duration.seconds(1)

  /// - Parameter some: removes a part, which takes a fraction of a statement's time at most; false once nothing is left.
  public init(
    in database: Database, logger: Logger, removing some: @escaping @Sendable (Transaction) async throws -> Bool
  ) {
    (self.database, self.logger, self.some) = (database, logger, some)
  }

  /// Removes until the service stops.
  public func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "what is left of deleted accounts was not removed") { _ in
      while try await database.repeatableTransaction({ tx in try await some(tx) }) { try Task.checkCancellation() }
    }
  }
}
