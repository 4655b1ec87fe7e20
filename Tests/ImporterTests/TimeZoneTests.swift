import TestSupport
import Testing

@testable import ImporterOperations

@Suite("names of time zones that users send", .timeLimit(.minutes(5)))
struct TimeZoneTests {
  private static func with(_ body: @escaping @Sendable (TimeZones, TestDatabase) async throws -> Void) async throws {
    try await TestDatabase.with([RunningImporter.schema]) { database in
      try await database.opened(as: RunningImporter.schema.name) { own in
        try await body(TimeZones(database: own), database)
      }
    }
  }

  @Test("[IM-11] 29 B10: a zone in 4,096 spellings is remembered once")
  func spellings() async throws {
    try await Self.with { zones, _ in
      let before = zones.count
      for number in 0..<4_096 {
        var (letter, name) = (0, "")
        for character in "europe/berlin" {
          name += number >> letter & 1 == 1 ? character.uppercased() : String(character)
          letter += character.isLetter ? 1 : 0
        }
        let isKnown = try await zones.isKnown(name)
        #expect(isKnown)
      }
      #expect(zones.count == before + 1)
    }
  }

  @Test("[IM-11] 29 B10: of unknown names none is remembered, and of all that the database knows at most 2,000")
  func bound() async throws {
    try await Self.with { zones, database in
      for name in ["Europe/Nowhere", "EST5EDT", "Berlin", "+02:00", "Etc/GMT+99", String(repeating: "A/", count: 32)] {
        let isKnown = try await zones.isKnown(name)
        #expect(!isKnown, "\(name)")
      }
      #expect(zones.count == 1)
      let names = try await database.sql("select name from pg_timezone_names").compactMap { $0.first ?? nil }
      var known: Set<String> = []
      for name in names where try await zones.isKnown(name) { known.insert(name.lowercased()) }
      #expect(known.count > 300)
      #expect(zones.count <= 2_000 && zones.count == known.union(["utc"]).count)
    }
  }
}
