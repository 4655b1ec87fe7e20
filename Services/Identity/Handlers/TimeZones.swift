import Identifiers
import IdentityDomain
import IdentityStore
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle
import Synchronization
import TTRPC

/// The time zones that the database knows, and the current date in them ([C-8], [ID-21]).
package final class TimeZones: Service {
  private let database: Database
  private let logger: Logger
  /// `nil` until they have been read, which readiness requires.
  private let names = Mutex<Set<String>?>(nil)

  /// Listing them takes a third of a second, so no call does it; they change only with the database's packages.
  private static let pollInterval: Duration = .seconds(24 * 3_600)

  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// Why the service is not ready; `nil` once the zones are known.
  package var unhealthyReason: String? {
    names.withLock { $0 == nil } ? "the time zones have not been looked up yet" : nil
  }

  /// Reads the zones periodically until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.pollInterval, logger, "the time zones could not be looked up") { _ in
      let known = Set(try await self.database.rows(TimeZoneNames()))
      self.names.withLock { $0 = known }
    }
  }

  /// The zone, or `nil` when it is unknown.
  ///
  /// - Throws: UNAVAILABLE before the zones have been read.
  func zone(_ text: String) throws(Status) -> TimeZoneName? {
    guard let zone = TimeZoneName(text) else { return nil }
    guard let isKnown = names.withLock({ $0?.contains(text) }) else { throw .starting }
    return isKnown ? zone : nil
  }

  /// The date at `instant` in `zone`, or in UTC if it is `nil`.
  func day(at instant: Instant, in zone: TimeZoneName?) async throws -> CivilDate {
    let utc = CivilDate(daysSince1970: Int((Double(instant.wholeSeconds) / 86_400).rounded(.down)))
    guard let zone else { return utc }
    return try await database.first(DayInZone(now: instant, timeZone: zone)) ?? utc
  }
}
