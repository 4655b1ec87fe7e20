import GoogleType
import Identifiers
import ImporterDomain
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("steps and sleep that are reported twice", .timeLimit(.minutes(5)))
struct DailyFigureTests {
  private static func days(_ importer: RunningImporter) async throws -> [Summary] {
    try await importer.activities.summarizeActivities(
      SummarizeActivitiesRequest(
        period: .day, fromDate: Date(year: 2025, month: 3, day: 1), toDate: Date(year: 2025, month: 4, day: 1)),
      TestUser.ada.options
    ).summaries
  }

  @Test("[IM-8] a night that a provider and its own archive report is slept once, in whatever order they come")
  func night() async throws {
    let start = Instant(microseconds: 1_743_289_200_000_000)
    let archive = Array("[\(MadeFile.fitbitSleep(7, at: "2025-03-29T23:00:00.000"))]".utf8)
    @Sendable func night(_ id: String, after seconds: Int, minutes: Double) -> ImportedSleep {
      ImportedSleep(
        provider: "fitbit", externalID: id, startedAt: start + .seconds(seconds),
        endedAt: start + .seconds(seconds + 28_800), timeZone: "UTC", asleepSeconds: minutes * 60)
    }
    // The archive's has seven hours; the nap in the afternoon is another sleep.
    let api = ImportedBatch(sleeps: [night("point", after: 60, minutes: 410), night("nap", after: 50_000, minutes: 30)])
    try await RunningImporter.with { importer in
      try await importer.store(api)
      _ = try await importer.importFile(archive)
      try await importer.store(api, of: .grace)
      #expect(try await Self.days(importer).map(\.sleepS) == [420 * 60 + 30 * 60])
    }
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(archive)
      try await importer.store(api)
      #expect(try await Self.days(importer).map(\.sleepS) == [420 * 60 + 30 * 60])
      // The provider corrects itself.
      try await importer.store(ImportedBatch(sleeps: [night("point", after: 60, minutes: 430)]))
      #expect(try await Self.days(importer).map(\.sleepS) == [430 * 60 + 30 * 60])
    }
  }

  @Test("[IM-8] an archive in which a day is not whole takes none of the steps that its provider has reported")
  func partOfDay() async throws {
    try await RunningImporter.with { importer in
      let day = try #require(CivilDate(year: 2025, month: 3, day: 30))
      try await importer.store(ImportedBatch(steps: [ImportedSteps(provider: "fitbit", day: day, steps: 9_000)]))
      let archive = MadeFile.zip([
        ("steps-2025-03-30.json", Array(#"[{"dateTime":"03/30/25 08:00:00","value":"40"}]"#.utf8))
      ])
      #expect(try await importer.importFile(archive).stepDays == 1)
      #expect(try await Self.days(importer).map(\.steps) == [9_000])
      // The provider itself may correct a day downwards.
      try await importer.store(ImportedBatch(steps: [ImportedSteps(provider: "fitbit", day: day, steps: 8_000)]))
      #expect(try await Self.days(importer).map(\.steps) == [8_000])
    }
  }
}
