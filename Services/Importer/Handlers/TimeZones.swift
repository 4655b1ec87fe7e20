import FieldViolations
import ImporterStore
import Postgres
import Synchronization
import TTRPC
import TandemImporter

/// Which IANA time zones the database knows; each is looked up once.
final class TimeZones: Sendable {
  private let database: Database
  private let known = Mutex<Set<String>>(["UTC"])

  init(database: Database) { self.database = database }

  /// Whether `zone` is the name of a zone. Abbreviations and offsets, which the database would take too, are none.
  func isKnown(_ zone: String) async throws -> Bool {
    if known.withLock({ $0.contains(zone) }) { return true }
    guard zone.utf8.count <= 64, zone.utf8.allSatisfy(Self.isInNames), zone.contains("/") || zone.allSatisfy(\.isLetter)
    else { return false }
    do {
      _ = try await database.first(KnownZone(zone: zone))
    } catch let error as PostgresError where error.sqlState == KnownZone.unknownZone {
      return false
    }
    known.withLock { _ = $0.insert(zone) }
    return true
  }

  /// Letters, digits and `/_-+`, of which the names of zones are made.
  private static func isInNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "/_-+".utf8.contains(byte)
    }
  }
}

extension BadFields {
  static var unknownZone: BadFields {
    BadFields("time_zone", "This is not the name of a time zone", ImporterReason.timeZoneUnknown)
  }
}
