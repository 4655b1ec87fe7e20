import Environment
import Logging
import MatchingDomain
import MatchingStore
import PeriodicTask
import Postgres
import ServiceLifecycle

/// Notes every few seconds that the service works, so that outages are known ([MA-10]). Every replica does; one that beats is enough.
package struct HeartbeatService: Service {
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger

  package init(database: Database, clock: any WallClock, logger: Logger) {
    (self.database, self.clock, self.logger) = (database, clock, logger)
  }

  package func run() async {
    await repeatUntilShutdown(every: Heartbeat.interval, logger, "the heartbeat was not stored") { _ in
      try await database.write(Beat(now: clock.now, longestGapUs: Heartbeat.longestGap.wholeMicroseconds))
    }
  }
}
