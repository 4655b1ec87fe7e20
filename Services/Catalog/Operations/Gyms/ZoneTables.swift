import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import Synchronization

/// The UTC offsets of the gyms' zones: read from the database, whose time zone tables are authoritative, once a day for each zone.
final class ZoneTables: Sendable {
  private struct Table {
    /// `nil` for a zone that does not exist any more.
    let offsets: ZoneOffsets?
    let readAt: Instant
  }

  /// How long a table is used: the database's packages update time zones.
  private static let lifetime: Duration = .seconds(24 * 3_600)
  /// How far before its reading a table begins: spans that opened yesterday are needed.
  private static let past: Duration = .seconds(3 * 86_400)
  /// How far after its reading a table ends: opening hours are searched a year ahead.
  private static let future: Duration = .seconds(372 * 86_400)

  private let database: Database
  /// By the zone's name; there are a few hundred.
  private let known = Mutex<[String: Table]>([:])

  init(database: Database) { self.database = database }

  /// The tables of zones; unknown zones are left out.
  func tables(of zones: Set<String>, at now: Instant) async throws -> [String: ZoneOffsets] {
    let missing = known.withLock { known in zones.filter { !Self.isGood(known[$0], at: now) } }
    if !missing.isEmpty { try await read(missing.sorted(), at: now) }
    return known.withLock { known in
      Dictionary(uniqueKeysWithValues: zones.compactMap { zone in (known[zone]?.offsets).map { (zone, $0) } })
    }
  }

  private static func isGood(_ table: Table?, at now: Instant) -> Bool {
    guard let table else { return false }
    // After the clock was set back, the time is before that of the table.
    return now >= table.readAt && now < table.readAt + lifetime
  }

  private func read(_ zones: [String], at now: Instant) async throws {
    let rows = try await database.rows(ZoneChanges(zones: zones, since: now - Self.past, until: now + Self.future))
    let changes = Dictionary(grouping: rows, by: \.zone)
    known.withLock { known in
      for zone in zones {
        let offsets = (changes[zone] ?? []).map { ZoneOffsets.Change(at: $0.moment, seconds: Int($0.seconds)) }
        known[zone] = Table(offsets: ZoneOffsets(offsets), readAt: now)
      }
    }
  }
}
