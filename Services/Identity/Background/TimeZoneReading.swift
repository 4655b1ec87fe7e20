import IdentityOperations
import Logging
import PeriodicTask
import ServiceLifecycle

/// Reads the time zones that the database knows when a service starts, then once a day: they change only with the database's packages.
package struct TimeZoneReading: Service {
  private let zones: TimeZones
  private let logger: Logger

  private static let interval: Duration = .seconds(24 * 3_600)

  package init(of zones: TimeZones, logger: Logger) { (self.zones, self.logger) = (zones, logger) }

  package func run() async {
    await repeatUntilShutdown(every: Self.interval, logger, "the time zones could not be looked up") { _ in
      try await zones.look()
    }
  }
}
