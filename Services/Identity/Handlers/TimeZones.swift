import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import Synchronization

/// The time zones that the database knows, and what day it is in them ([C-8], [ID-21]).
final class TimeZones: Sendable {
  private let database: Database
  /// Read once: listing them costs the database a third of a second, and they change with its packages only.
  private let names = Mutex<Set<String>>([])

  init(_ database: Database) {
    self.database = database
  }

  /// The zone, or `nil` when there is none of that name.
  func zone(_ text: String) async throws -> TimeZoneName? {
    guard let zone = TimeZoneName(text) else { return nil }
    if names.withLock({ $0.isEmpty }) {
      let known = Set(try await database.rows(TimeZoneNames()))
      names.withLock { $0 = known }
    }
    return names.withLock { $0.contains(text) } ? zone : nil
  }

  /// The day it is in `zone`, or in UTC without one.
  func day(at instant: Instant, in zone: TimeZoneName?) async throws -> CivilDate {
    let utc = CivilDate(daysSince1970: Int((Double(instant.wholeSeconds) / 86_400).rounded(.down)))
    guard let zone else { return utc }
    return try await database.first(DayInZone(instant, zone: zone.description)) ?? utc
  }
}
