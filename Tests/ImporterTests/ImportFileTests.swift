import GoogleType
import Identifiers
import ImporterDomain
import ImporterStore
import TTRPC
import TandemEvents
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("imports of files")
struct ImportFileTests {
  @Test("[IM-10] [IM-12] an uploaded GPX file is an activity with track, splits and events, once")
  func gpx() async throws {
    try await RunningImporter.with { importer in
      let done = try await importer.importFile(MadeFile.gpx(), zone: "Europe/London", chunk: 1_000)

      #expect(done.format == "gpx" && done.newActivities == 1 && done.state == .done && done.fault == nil)
      let id = try #require(done.activityIds.first)
      let activity = try await importer.activities.getActivity(
        GetActivityRequest(activityID: id), TestUser.ada.options)
      #expect(activity.sport == .run && activity.title == "Street & park" && activity.timeZone == "Europe/London")
      #expect(activity.durationS == 1_190 && (3_500...3_650).contains(activity.distanceM))
      #expect(activity.track.count == 120 && activity.splits.count == 4)
      #expect(activity.sources.map(\.device) == ["Test watch"])
      #expect(try await importer.told(ActivityStored.self).map(\.activityID) == [id])
      #expect(try await importer.told(TrackerImported.self).map(\.provider) == ["file"])

      importer.clock.advance(by: .seconds(1))
      let again = try await importer.importFile(MadeFile.gpx(), zone: "Europe/London")
      #expect(again.newActivities == 0 && again.knownActivities == 1)
      #expect(try await importer.listed().count == 1)
      let imports = try await importer.activities.listFileImports(ListFileImportsRequest(), TestUser.ada.options)
      #expect(imports.imports.map(\.importID) == [again.importID, done.importID])
    }
  }

  @Test("[IM-10] a broken file is refused with the place, or kept up to the fault, as the caller chooses")
  func broken() async throws {
    try await RunningImporter.with { importer in
      let whole = MadeFile.gpx()
      let cut = Array(whole.prefix(whole.count / 2))

      let refused = try await refusal { try await importer.importFile(cut) }
      #expect(refused.code == .invalidArgument && refused.reason == "FILE_BROKEN", "\(refused)")
      #expect(try await importer.listed().isEmpty)

      importer.clock.advance(by: .seconds(1))
      let kept = try await importer.importFile(cut, onFault: .keep)
      #expect(kept.newActivities == 1 && (kept.fault?.line ?? 0) > 10 && kept.state == .done)
      let imports = try await importer.activities.listFileImports(ListFileImportsRequest(), TestUser.ada.options)
      #expect(imports.imports.map(\.state) == [.done, .failed] && imports.imports.last?.fault != nil)
    }
  }

  @Test(
    "[IM-10] what is no file of a tracker, or is made to do harm, is refused and stores nothing",
    arguments: [
      ("text", "Dear diary", "FILE_UNSUPPORTED"), ("html", "<!DOCTYPE html><html></html>", "FILE_UNSUPPORTED"),
      (
        "entities",
        "<!DOCTYPE gpx [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;\">]><gpx><trk><trkseg/></trk></gpx>", "FILE_BROKEN"
      ),
      ("nesting", "<gpx>" + String(repeating: "<a>", count: 100_000), "FILE_TOO_MUCH"),
      ("nothing", "", "FILE_UNSUPPORTED"),
    ])
  func hostile(name: String, text: String, reason: String) async throws {
    try await RunningImporter.with { importer in
      let refused = try await refusal { try await importer.importFile(Array(text.utf8)) }
      #expect(refused.code == .invalidArgument && refused.reason == reason, "\(refused)")
      #expect(try await importer.listed().isEmpty)
    }
  }

  @Test("[IM-8] the same outing in two files is one activity with two sources, which can be split and deleted")
  func merged() async throws {
    try await RunningImporter.with { importer in
      let start = Instant(microseconds: 1_750_000_000_000_000)
      _ = try await importer.importFile(MadeFile.gpx(at: start))
      let second = try await importer.importFile(MadeFile.gpx(points: 118, at: start + .seconds(4), sport: "jogging"))
      #expect(second.mergedActivities == 1)
      let one = try #require(try await importer.listed().first)
      #expect(try await importer.listed().count == 1 && one.sources.count == 2)

      let source = try #require(one.sources.last)
      let split = try await importer.activities.splitActivity(
        SplitActivityRequest(activityID: one.activityID, sourceID: source.sourceID), TestUser.ada.options)
      #expect(split.activity?.sources.count == 1 && split.splitOff?.sources.map(\.sourceID) == [source.sourceID])
      _ = try await importer.importFile(MadeFile.gpx(points: 118, at: start + .seconds(4), sport: "jogging"))
      #expect(try await importer.listed().count == 2)
    }
  }

  @Test("[IM-8] two imports of one outing at once make no duplicate")
  func race() async throws {
    try await RunningImporter.with { importer in
      let start = importer.clock.now
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<64 {
          group.addTask {
            let run = ImportedActivity.run(
              at: start, provider: "provider\(number % 8)", externalID: "\(number / 8 % 2)")
            while true {
              do {
                try await importer.store(ImportedBatch(activities: [run]))
                return true
              } catch { await Task.yield() }
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(outcomes == 64)
      let listed = try await importer.listed()
      #expect(listed.count == 1 && listed.first?.sources.count == 16)
    }
  }

  @Test("[IM-8] a report that contradicts one source of an activity is of another, though a vague source fits both")
  func contradiction() async throws {
    try await RunningImporter.with { importer in
      let start = importer.clock.now
      var vague = ImportedActivity.run(at: start, provider: "polar", externalID: "2")
      var other = ImportedActivity.run(at: start, provider: "withings", externalID: "3")
      (vague.sport, other.sport) = (.other, .yoga)
      for activity in [ImportedActivity.run(at: start), vague, other] {
        try await importer.store(ImportedBatch(activities: [activity]))
      }
      #expect(try await importer.listed().map(\.sources.count).sorted() == [1, 2])
    }
  }

  @Test("[IM-11] deleting one provider's data leaves what another reported, and deleting all leaves nothing")
  func deletion() async throws {
    try await RunningImporter.with { importer in
      let start = importer.clock.now
      var other = ImportedActivity.run(at: start + .seconds(30), provider: "polar", externalID: "9")
      other.heartRateAverage = 140
      let alone = ImportedActivity.run(at: start - .seconds(86_400), provider: "strava", externalID: "2")
      try await importer.store(
        ImportedBatch(
          activities: [.run(at: start), alone],
          steps: [
            ImportedSteps(provider: "strava", day: try #require(CivilDate(year: 2026, month: 1, day: 2)), steps: 9)
          ]))
      try await importer.store(ImportedBatch(activities: [other]))
      #expect(try await importer.listed().map(\.sources.count) == [2, 1])

      let deleted = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "strava"), TestUser.ada.options)
      #expect(deleted.deletedActivities == 1 && deleted.changedActivities == 1)
      let left = try await importer.listed()
      #expect(left.map { $0.sources.map(\.provider) } == [["polar"]] && left.first?.heartRateAvgBpm == 140)
      #expect(try await importer.value("select count(*) from daily_steps") == "0")
      #expect(try await importer.told(ActivityRemoved.self).count == 1)

      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(all: true), TestUser.ada.options)
      #expect(try await importer.listed().isEmpty)
      let refused = try await refusal {
        try await importer.activities.deleteImportedData(DeleteImportedDataRequest(), TestUser.ada.options)
      }
      #expect(refused.reason == "PROVIDER_REQUIRED")
    }
  }

  @Test("[IM-11] summaries add up days, weeks and months in the user's zone")
  func summaries() async throws {
    try await RunningImporter.with { importer in
      // 23:30 on 31 March in London is 1 April in Berlin.
      let late = Instant(
        microseconds: (Int64(try #require(CivilDate(year: 2025, month: 3, day: 31)).daysSince1970) * 86_400 + 22 * 3_600
          + 1_800) * 1_000_000)
      let day = try #require(CivilDate(year: 2025, month: 4, day: 1))
      try await importer.store(
        ImportedBatch(
          activities: [.run(at: late)],
          steps: [
            ImportedSteps(provider: "a", day: day, steps: 5_000), ImportedSteps(provider: "b", day: day, steps: 6_000),
          ],
          sleeps: [
            ImportedSleep(
              provider: "a", externalID: "1", startedAt: late, endedAt: late + .seconds(28_800),
              timeZone: "Europe/Berlin",
              asleepSeconds: 27_000)
          ], weights: [ImportedWeight(provider: "a", measuredAt: late, kilograms: 70.5)]))
      func summarize(_ zone: String, _ period: SummaryPeriod) async throws -> [Summary] {
        try await importer.activities.summarizeActivities(
          SummarizeActivitiesRequest(
            period: period, fromDate: Date(year: 2025, month: 3, day: 1), toDate: Date(year: 2025, month: 4, day: 30),
            timeZone: zone), TestUser.ada.options
        ).summaries
      }
      let berlin = try await summarize("Europe/Berlin", .month)
      #expect(berlin.map { $0.startDate?.month } == [4])
      #expect(berlin.map(\.steps) == [6_000] && berlin.map(\.sleepS) == [27_000] && berlin.map(\.weightKg) == [70.5])
      #expect(berlin.map(\.distanceM) == [10_000] && berlin.first?.sports.map(\.sport) == [.run])
      #expect(try await summarize("Europe/London", .day).filter { $0.activities > 0 }.map { $0.startDate?.day } == [31])
      #expect(try await summarize("Europe/London", .week).map { $0.startDate?.day } == [31])
      let unknown = try await refusal { _ = try await summarize("Europe/Nowhere", .day) }
      #expect(unknown.reason == "TIME_ZONE_UNKNOWN")
    }
  }

  @Test("[IM-11] personal records are the fastest, farthest and longest")
  func records() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(MadeFile.gpx())
      let records = try await importer.activities.listPersonalRecords(
        ListPersonalRecordsRequest(), TestUser.ada.options
      ).records
      let fastest = records.filter { $0.kind == .fastest }
      #expect(fastest.map(\.distanceM) == [1_000, 1_609.344])
      #expect((325...340).contains(fastest.first?.durationS ?? 0))
      #expect(records.filter { $0.kind == .longest }.map(\.durationS) == [1_190])
    }
  }

  @Test("[IM-11] an export is a zip file with everything, of which the track can be imported again")
  func export() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(MadeFile.gpx())
      let again = try await importer.importFile(try await importer.export(), as: .grace)
      #expect(again.format == "takeout" && again.newActivities == 1)
      let (one, other) = (try await importer.listed().first, try await importer.listed(.grace).first)
      #expect(one?.startTime == other?.startTime && one?.durationS == other?.durationS)
    }
  }

  @Test("[C-9] nothing of a user stays when the account is deleted")
  func departure() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(MadeFile.gpx())
      for removal in ImporterSchema.removals { try await importer.remove(by: removal, TestUser.ada) }
      #expect(try await importer.listed().isEmpty, "no user sees it from then on")
      #expect(try await eventually { try await importer.value("select count(*) from erasures") == "0" })
      for table in ["activities", "activity_sources", "best_efforts", "file_imports"] {
        #expect(try await importer.value("select count(*) from \(table)") == "0")
      }
    }
  }
}
