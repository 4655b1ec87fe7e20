import Foundation
import Identifiers
import TestSupport
import Testing

@testable import CatalogDomain

/// What Python's `zoneinfo` says about local times around every change of clocks for ten years, in every zone.
private struct LocalTimes {
  struct Line {
    let zone: String
    let local: LocalMinute
    let instant: Instant
  }

  /// Names that PostgreSQL takes for abbreviations with a fixed offset, whatever the zone of that name does; no form accepts them.
  private static let abbreviations: Set<String> = ["CET", "EET", "MET", "WET"]

  let lines: [Line]

  init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Support/local_times.py").standardized
    let (process, output) = (Process(), Pipe())
    let python = script.deletingLastPathComponent().appendingPathComponent("../../../.venv/bin/python").standardized
    try #require(
      FileManager.default.isExecutableFile(atPath: python.path),
      "\(python.path) is missing: `.ci/install test` installs it")
    process.executableURL = python
    process.arguments = [script.path]
    process.standardOutput = output
    try Children.start { try process.run() }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(
      process.terminationStatus == 0,
      "\(python.path) ended with \(process.terminationStatus): it needs zoneinfo, of Python 3.9, and its zones")
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t")
      guard parts.count == 3, let local = Int(parts[1]), let seconds = Int64(parts[2]) else { return nil }
      return Line(
        zone: String(parts[0]), local: LocalMinute(sinceEpoch: local),
        instant: Instant(microseconds: seconds * 1_000_000))
    }.filter { !Self.abbreviations.contains($0.zone) }
  }
}

@Suite("instants of local times", .timeLimit(.minutes(10)))
struct LocalTimesTests {
  @Test("[CA-3] [ID-63] [LE-12] around every change of clocks of ten years in every zone, both conversions are right")
  func everyZone() async throws {
    let expected = try LocalTimes()
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      // Nothing begins at a whole minute.
      let rows = try await database.sql(
        """
        select zone.name, extract(epoch from change.moment)::bigint, change.seconds
        from unnest(array[\(Set(expected.lines.map(\.zone)).map { "'\($0)'" }.joined(separator: ","))]) as zone (name)
        cross join lateral zone_changes(zone.name, '2025-12-30T12:34:51.435Z', '2036-01-03T00:00Z') as change
        order by zone.name, change.moment
        """, in: "catalog")
      var changes: [String: [ZoneOffsets.Change]] = [:]
      for row in rows {
        let (name, seconds) = (try #require(row[0]), try #require(row[2].flatMap { Int($0) }))
        let moment = Instant(microseconds: try #require(row[1].flatMap { Int64($0) }) * 1_000_000)
        changes[name, default: []].append(ZoneOffsets.Change(at: moment, seconds: seconds))
      }
      let known = expected.lines.filter { changes[$0.zone] != nil }
      #expect(Set(known.map(\.zone)).count > 100 && known.count > 50_000, "half of the zones change their clocks")

      let zones = changes.compactMapValues { ZoneOffsets($0) }
      let wrong = known.filter { zones[$0.zone]?.instant(of: $0.local) != $0.instant }
      #expect(wrong.isEmpty, "\(wrong.count) by the table: \(wrong.prefix(5))")

      let list = { (values: [String]) in "array[\(values.joined(separator: ","))]" }
      let differing = try await database.sql(
        """
        select zone, local, moment
        from unnest(
          \(list(known.map { "'\($0.zone)'" })), \(list(known.map { "\($0.local.sinceEpoch)" })),
          \(list(known.map { "\($0.instant.wholeSeconds)" }))::bigint[]
        ) as line (zone, local, moment)
        where job_occurrence(date '1970-01-01' + local / 1440, local % 1440, zone) is distinct from to_timestamp(moment)
        """, in: "catalog")
      #expect(differing.isEmpty, "\(differing.count) by the database: \(differing.prefix(5))")
    }
  }
}
