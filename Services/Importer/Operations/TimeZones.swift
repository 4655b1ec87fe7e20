import ImporterStore
import Postgres
import Synchronization

/// Which IANA time zones the database knows; each is looked up once.
package final class TimeZones: Sendable {
  private let database: Database
  /// In small letters: the database takes a name in any case, and a user could have one zone remembered under thousands of names.
  private let known = Mutex<Set<String>>(["utc"])

  /// More than there are zones.
  private static let maxKnown = 2_000

  /// How many are remembered.
  var count: Int { known.withLock { $0.count } }

  package init(database: Database) { self.database = database }

  /// Whether `zone` is the name of a zone. Abbreviations and offsets, which the database would take too, are none.
  package func isKnown(_ zone: String) async throws -> Bool {
    guard zone.utf8.count <= 64, Self.mayBeName(zone) else { return false }
    let name = zone.lowercased()
    if known.withLock({ $0.contains(name) }) { return true }
    do {
      _ = try await database.first(KnownZone(zone: zone))
    } catch let error as PostgresError where error.sqlState == KnownZone.unknownZone {
      return false
    }
    known.withLock { known in if known.count < Self.maxKnown { known.insert(name) } }
    return true
  }

  /// Whether it consists of what names do. Of those with digits only the ones of fixed offsets are: the database reads any text with
  /// a number at its end as an offset.
  private static func mayBeName(_ zone: String) -> Bool {
    if zone.hasPrefix(fixed), let offset = Int(zone.dropFirst(fixed.count)) {
      return (-14...12).contains(offset) && (zone == "\(fixed)0" || zone == "\(fixed)\(offset < 0 ? "" : "+")\(offset)")
    }
    return zone.utf8.allSatisfy(isInNames) && (zone.contains("/") || zone.allSatisfy(\.isLetter))
  }

  private static let fixed = "Etc/GMT"

  private static func isInNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: "/_-".utf8.contains(byte)
    }
  }
}
