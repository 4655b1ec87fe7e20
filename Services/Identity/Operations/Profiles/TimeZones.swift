import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import Synchronization

/// The time zones that the database knows, and the current date in them ([C-8], [ID-21]).
package final class TimeZones: Sendable {
  private let database: Database
  /// `nil` until they have been read, which readiness requires.
  private let names = Mutex<Set<String>?>(nil)

  package init(database: Database) { self.database = database }

  /// Why the service is not ready; `nil` once the zones are known.
  package var unhealthyReason: String? {
    names.withLock { $0 == nil } ? "the time zones have not been looked up yet" : nil
  }

  /// Reads the zones, which takes a third of a second, so that no call does it.
  package func look() async throws {
    let known = Set(try await database.rows(TimeZoneNames()))
    names.withLock { $0 = known }
  }

  /// The zone, or `nil` when it is unknown.
  ///
  /// - Throws: `IdentityFailure.starting` before the zones have been read.
  package func zone(_ text: String) throws(IdentityFailure) -> TimeZoneName? {
    guard let zone = TimeZoneName(text) else { return nil }
    guard let isKnown = names.withLock({ $0?.contains(text) }) else { throw .starting }
    return isKnown ? zone : nil
  }

  /// The date at `instant` in `zone`, or in UTC if it is `nil`.
  package func day(at instant: Instant, in zone: TimeZoneName?) async throws -> CivilDate {
    let utc = CivilDate(daysSince1970: Int((Double(instant.wholeSeconds) / 86_400).rounded(.down)))
    guard let zone else { return utc }
    return try await database.first(DayInZone(now: instant, timeZone: zone)) ?? utc
  }
}
