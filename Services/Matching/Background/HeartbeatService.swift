import Environment
import GRPCHealth
import Logging
import MatchingDomain
import MatchingStore
import PeriodicTask
import Postgres
import ServiceLifecycle
import TTRPC

/// Notes every few seconds that users can check in, so that outages are known ([MA-10]). Every replica does; one that beats is enough.
///
/// While identity does not serve, nobody gets a new access token, and those of before expire: that is an outage of check-ins too.
package struct HeartbeatService: Service {
  private let database: Database
  private let identity: (any RPCChannel)?
  private let clock: any WallClock
  private let logger: Logger

  /// Less than the time between two beats.
  private static let timeout = Duration.seconds(3)

  /// - Parameter identity: `nil` in a deployment without it.
  package init(database: Database, identity: (any RPCChannel)?, clock: any WallClock, logger: Logger) {
    (self.database, self.identity, self.clock, self.logger) = (database, identity, clock, logger)
  }

  package func run() async {
    await repeatUntilShutdown(every: Heartbeat.interval, logger, "the heartbeat was not stored") { _ in
      try await beat()
    }
  }

  /// Beats once, if users can check in.
  package func beat() async throws {
    if await isIdentityServing() {
      try await database.write(Beat(now: clock.now, longestGapUs: Heartbeat.maxGap.wholeMicroseconds))
    } else {
      try await database.write(BeginHeartbeat(now: clock.now))
    }
  }

  private func isIdentityServing() async -> Bool {
    guard let identity else { return true }
    do {
      let answer = try await HealthClient(identity).check(HealthCheckRequest(), CallOptions(timeout: Self.timeout))
      if answer.status == .serving { return true }
      logger.info("identity does not serve: users may be unable to check in")
    } catch {
      logger.info("identity does not answer: users may be unable to check in", metadata: ["cause": "\(error)"])
    }
    return false
  }
}
