import IdentityOperations
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle

/// Seals push tokens again that are not sealed with the current key: once when a service starts, then every ten minutes
/// ([ID-62]).
package struct PushTokenRenewal: Service {
  private let pushTokens: PushTokens
  private let database: Database
  private let logger: Logger

  private static let interval: Duration = .seconds(600)

  package init(of pushTokens: PushTokens, in database: Database, logger: Logger) {
    self.pushTokens = pushTokens
    self.database = database
    self.logger = logger
  }

  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "push tokens were not sealed again") { _ in
      let unopened = try await pushTokens.sealAll(in: database)
      guard unopened > 0 else { return }
      logger.error(
        "push tokens were sealed with a key that is not there any more", metadata: ["devices": "\(unopened)"])
    }
  }
}
