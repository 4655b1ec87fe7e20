import Identifiers
import IdentityDomain
import IdentityStore
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle
import Synchronization
import TTRPC

/// The time zones that the database knows, and what day it is in them ([C-8], [ID-21]).
package final class TimeZones: Service {
  private let database: Database
  private let logger: Logger
  /// `nil` until they have been read, before the service is ready.
  private let names = Mutex<Set<String>?>(nil)

  /// Listing them costs the database a third of a second, so no call does it; they change with its packages only.
  private static let pollInterval: Duration = .seconds(24 * 3_600)

  /// Reads them from `database`.
  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// Why the service is not ready; `nil` once the zones are known.
  package var unhealthyReason: String? {
    names.withLock { $0 == nil } ? "the time zones have not been looked up yet" : nil
  }

  /// Follows the database's zones until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.pollInterval, logger, "the time zones could not be looked up") { _ in
      let known = Set(try await self.database.rows(TimeZoneNames()))
      self.names.withLock { $0 = known }
    }
  }

  /// The zone, or `nil` when there is none of that name; UNAVAILABLE until they are known.
  func zone(_ text: String) throws(Status) -> TimeZoneName? {
    guard let zone = TimeZoneName(text) else { return nil }
    guard let isKnown = names.withLock({ $0?.contains(text) }) else { throw .starting }
    return isKnown ? zone : nil
  }

  /// The day it is in `zone`, or in UTC without one.
  func day(at instant: Instant, in zone: TimeZoneName?) async throws -> CivilDate {
    let utc = CivilDate(daysSince1970: Int((Double(instant.wholeSeconds) / 86_400).rounded(.down)))
    guard let zone else { return utc }
    return try await database.first(DayInZone(instant, zone: zone.description)) ?? utc
  }
}
