import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import Synchronization

/// What clocks show in the zones of gyms: asked of the database, whose zone tables decide, once a day for each zone.
final class ZoneTables: Sendable {
  private struct Table {
    /// `nil` for a zone that is none any more.
    let offsets: ZoneOffsets?
    let readAt: Instant
  }

  /// How long a table is good for: the tables behind it change with the database's packages.
  private static let lifetime: Duration = .seconds(24 * 3_600)
  /// Time before its reading that a table covers: what opened yesterday.
  private static let past: Duration = .seconds(3 * 86_400)
  /// Time after it: opening hours are looked at for a year ahead.
  private static let future: Duration = .seconds(372 * 86_400)

  private let database: Database
  /// There are a few hundred zones.
  private let known = Mutex<[String: Table]>([:])

  init(database: Database) { self.database = database }

  /// The tables of zones, of those that are any.
  func tables(of zones: Set<String>, at now: Instant) async throws -> [String: ZoneOffsets] {
    let missing = known.withLock { known in zones.filter { !Self.isGood(known[$0], at: now) } }
    if !missing.isEmpty { try await read(missing.sorted(), at: now) }
    return known.withLock { known in
      Dictionary(uniqueKeysWithValues: zones.compactMap { zone in (known[zone]?.offsets).map { (zone, $0) } })
    }
  }

  private static func isGood(_ table: Table?, at now: Instant) -> Bool {
    guard let table else { return false }
    // A clock that was set back asks for a time before the table's.
    return now >= table.readAt && now < table.readAt + lifetime
  }

  private func read(_ zones: [String], at now: Instant) async throws {
    let rows = try await database.rows(ZoneChanges(of: zones, during: now - Self.past..<now + Self.future))
    let changes = Dictionary(grouping: rows, by: \.zone)
    known.withLock { known in
      for zone in zones {
        known[zone] = Table(offsets: ZoneOffsets((changes[zone] ?? []).map(\.change)), readAt: now)
      }
    }
  }
}
