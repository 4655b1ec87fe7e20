import Foundation
import GoogleProtobuf
import GoogleType
import Identifiers
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("archives of Fitbit and Google", .timeLimit(.minutes(5)))
struct TakeoutTests {
  private static let folder = "Takeout/Fitbit/Global Export Data"

  private static func zip(_ members: (String, String)...) -> [UInt8] {
    MadeFile.zip(members.map { ($0.0, Array($0.1.utf8)) })
  }

  private static func moment(_ text: String) -> Timestamp {
    Timestamp(seconds: ISO8601DateFormatter().date(from: text).map { Int64($0.timeIntervalSince1970) } ?? -1)
  }

  @Test("[IM-10] [IM-7] exercises of Fitbit's archive are activities, at the local times that they tell")
  func exercises() async throws {
    try await RunningImporter.with { importer in
      let run = MadeFile.exercise(101, at: "01/24/25 07:30:00")
      let ride = MadeFile.exercise(
        102, at: "07/24/25 07:30:00", name: "Outdoor Bike", distance: "12.5", unit: "Kilometer")
      let archive = Self.zip(
        ("\(Self.folder)/exercise-0.json", "[\(run)]"), ("\(Self.folder)/exercise-100.json", "[\(ride)]"),
        ("\(Self.folder)/heart_rate-2025-01-24.json", "[{\"dateTime\":\"01/24/25 07:30:00\",\"value\":{\"bpm\":70}}]"),
        ("Takeout/archive_browser.html", "<html></html>"))
      let done = try await importer.importFile(archive, zone: "America/New_York")

      #expect(done.format == "takeout" && done.newActivities == 2 && done.fault == nil)
      // The other document is named, the page is not.
      #expect(done.skipped.map(\.member) == ["\(Self.folder)/heart_rate-2025-01-24.json"] && done.skippedCount == 1)
      let listed = try await importer.listed()
      #expect(listed.map(\.sport) == [.ride, .run] && Set(listed.map(\.timeZone)) == ["America/New_York"])
      // Summer and winter differ.
      #expect(
        listed.map(\.startTime) == [Self.moment("2025-07-24T11:30:00Z"), Self.moment("2025-01-24T12:30:00Z")])
      let first = try #require(listed.last)
      #expect(first.durationS == 1_800 && first.movingS == 1_740 && abs(first.distanceM - 4_988.966) < 0.01)
      #expect(first.energyKcal == 306 && first.heartRateAvgBpm == 148 && first.ascentM == 15.24)
      #expect(first.elevationSource == "provider" && first.sources.map(\.provider) == ["fitbit"])
      #expect(first.sources.map(\.externalID) == ["101"] && first.sources.map(\.device) == ["Charge 5"])
      let raw = try await importer.value(
        "select raw::jsonb ->> 'steps' from activity_sources where external_id = '101'")
      #expect(raw == "4510")

      importer.clock.advance(by: .seconds(1))
      let again = try await importer.importFile(archive, zone: "America/New_York")
      #expect(again.newActivities == 0 && again.knownActivities == 2)
    }
  }

  @Test("[IM-10] a local time that a clock change repeats or skips is standard time, and without a zone it is UTC")
  func clockChanges() async throws {
    try await RunningImporter.with { importer in
      let repeated = MadeFile.exercise(1, at: "10/26/25 02:30:00", seconds: 60)
      let skipped = MadeFile.exercise(2, at: "03/30/25 02:30:00", seconds: 60)
      let file = Array("[\(repeated),\(skipped)]".utf8)
      _ = try await importer.importFile(file, zone: "Europe/Berlin")
      #expect(
        try await importer.listed().map(\.startTime)
          == [Self.moment("2025-10-26T01:30:00Z"), Self.moment("2025-03-30T01:30:00Z")])
      _ = try await importer.importFile(file, as: .grace)
      let plain = try await importer.listed(.grace)
      #expect(
        plain.map(\.startTime) == [Self.moment("2025-10-26T02:30:00Z"), Self.moment("2025-03-30T02:30:00Z")])
      #expect(plain.map(\.timeZone) == ["UTC", "UTC"])
    }
  }

  @Test("[IM-10] [IM-7] nights and steps of Fitbit's archive are imported; a night lasts as long as was measured")
  func nights() async throws {
    try await RunningImporter.with { importer in
      let minutes = ["03/29/25 23:59:00", "03/30/25 00:01:00", "03/30/25 12:00:00"].map {
        "{\"dateTime\":\"\($0)\",\"value\":\"40\"}"
      }
      // The clock is set an hour forward in this night.
      let night = MadeFile.fitbitSleep(7, at: "2025-03-29T23:00:00.000")
      let done = try await importer.importFile(
        Self.zip(
          ("\(Self.folder)/sleep-2025-03-01.json", "[\(night)]"),
          ("\(Self.folder)/steps-2025-03-01.json", "[\(minutes[0])]"),
          ("\(Self.folder)/steps-2025-03-30.json", "[\(minutes[1]), \(minutes[2])]")), zone: "Europe/Berlin")
      #expect(done.sleeps == 1 && done.stepDays == 2 && done.newActivities == 0 && done.skippedCount == 0)
      let days = try await importer.activities.summarizeActivities(
        SummarizeActivitiesRequest(
          period: .day, fromDate: Date(year: 2025, month: 3, day: 1), toDate: Date(year: 2025, month: 4, day: 1),
          timeZone: "Europe/Berlin"), TestUser.ada.options
      ).summaries
      #expect(days.map { $0.startDate?.day } == [29, 30])
      #expect(days.map(\.steps) == [40, 80] && days.last?.sleepS == 25_200)
      #expect(
        try await importer.value("select extract(epoch from ended_at - started_at)::int::text from sleeps") == "28800")
      #expect(try await importer.value("select raw::jsonb #>> '{levels,data,0,level}' from sleeps") == "light")
    }
  }

  @Test(
    "[IM-10] [IM-8] sessions of Google's archive are activities and sleep, and one with a track beside it is one outing"
  )
  func sessions() async throws {
    try await RunningImporter.with { importer in
      let start = Instant(microseconds: 1_750_000_000_000_000)
      let run = MadeFile.session("running", "\(start)", "\(start + .seconds(1_190))", distance: 3_570)
      let walk = MadeFile.session("walking", "2021-05-01T08:00:00.000+02:00", "2021-05-01T08:30:00.000+02:00")
      let night = MadeFile.session(
        "sleep", "2021-05-01T22:00:00Z", "2021-05-02T06:00:00Z",
        more: """
          , "segment": [
            {"fitnessActivity": "sleep.light", "startTime": "2021-05-01T22:00:00Z", "endTime": "2021-05-02T05:00:00Z"},
            {"fitnessActivity": "sleep.awake", "startTime": "2021-05-02T05:00:00Z", "endTime": "2021-05-02T06:00:00Z"}]
          """)
      let done = try await importer.importFile(
        MadeFile.zip([
          ("Takeout/Fit/All Sessions/a_RUNNING.json", Array(run.utf8)),
          ("Takeout/Fit/All Sessions/b_WALKING.json", Array(walk.utf8)),
          ("Takeout/Fit/All Sessions/c_SLEEP.json", Array(night.utf8)),
          ("Takeout/Fit/All Data/derived.json", Array("{\"Data Source\": \"steps\", \"Data Points\": []}".utf8)),
          ("Takeout/Fit/Activities/a.gpx", MadeFile.gpx(at: start)),
        ]), zone: "Europe/Paris")
      #expect(done.newActivities == 2 && done.mergedActivities == 1 && done.sleeps == 1)
      #expect(done.skipped.map(\.member) == ["Takeout/Fit/All Data/derived.json"] && done.skippedCount == 1)
      let listed = try await importer.listed()
      #expect(listed.map(\.sport) == [.run, .walk] && listed.map(\.timeZone) == ["Europe/Paris", "+02:00"])
      #expect(listed.first.map { Set($0.sources.map(\.provider)) } == ["file", "google-fit"])
      #expect(listed.first?.energyKcal == 144.38 && listed.last?.distanceM == 1_558.5)
      #expect(try await importer.value("select asleep_s::int::text from sleeps") == "25200")

      let deleted = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "google-fit"), TestUser.ada.options)
      #expect(deleted.deletedActivities == 1 && deleted.changedActivities == 1)
      #expect(try await importer.listed().map { $0.sources.map(\.provider) } == [["file"]])
    }
  }

  @Test("[IM-10] records that are broken are named with their document and place, and the others are stored")
  func broken() async throws {
    try await RunningImporter.with { importer in
      let good = (1...4).map { MadeFile.exercise($0, at: "0\($0)/02/25 10:00:00") }
      let documents = [
        """
        \u{FEFF}// exported
        [\(good[0]),
         {"logId": 9, "activityName": "Run", "duration": 1000, "startTime": "13/45/25 10:00:00"},
         {"activityName": "Run", "duration": 1000, "startTime": "01/02/25 10:00:00"},
         {"logId": 9, "activityName": "Run", "startTime": "01/02/25 10:00:00"},
         {"logId": 9, "duration": 1, "startTime": 12, , "x": [}, null, 7, "eight",
         \(good[1]) /* the last */,]
        """,
        "[\(good[2]), {\"logId\": 5, \"deep\": \(String(repeating: "[", count: 40))\(String(repeating: "]", count: 40))}]",
        "{'fitnessActivity': 'running', startTime: '2025-01-02T10:00:00Z', \"fitnessActivity\": \"running\"}",
      ]
      let done = try await importer.importFile(
        Self.zip(
          ("a/exercise-0.json", documents[0]), ("a/exercise-1.json", documents[1]), ("b/session.json", documents[2]),
          ("c/exercise-2.json", "[]"), ("c/sleep-3.json", " [ ] "), ("c/exercise-4.json", "[\(good[3])]")))
      #expect(done.state == .done && done.fault == nil && done.newActivities == 4)
      #expect(done.skippedCount == 9 && done.skipped.count == 9)
      let named = done.skipped.map { "\($0.member) \($0.index)" }
      #expect(named == (1...7).map { "a/exercise-0.json \($0)" } + ["a/exercise-1.json 1", "b/session.json 0"])
      let words = Set(done.skipped.map(\.message))
      for word in ["no JSON", "no logId", "no time", "no length", "too deep"] {
        #expect(words.contains { $0.contains(word) }, "\(word): \(words)")
      }
      let listed = try await importer.activities.listFileImports(ListFileImportsRequest(), TestUser.ada.options)
      #expect(listed.imports.map(\.skipped) == [done.skipped])
    }
  }

  @Test(
    "[IM-10] a document of an archive that ends in its middle is named with the place, and its whole records are stored"
  )
  func cut() async throws {
    try await RunningImporter.with { importer in
      let whole =
        "[\(MadeFile.exercise(1, at: "01/02/25 10:00:00")),\n\(MadeFile.exercise(2, at: "02/02/25 10:00:00"))]"
      let archive = Self.zip(("x/exercise-0.json", String(whole.dropLast(40))))
      let done = try await importer.importFile(archive)
      #expect(done.state == .done && done.fault == nil && done.newActivities == 1)
      #expect(done.skipped.last?.member == "x/exercise-0.json")
      #expect(done.skipped.last?.message.contains("(line ") == true, "\(done.skipped)")
    }
  }

  @Test(
    "[IM-10] documents that are made to do harm are refused or passed over, and store nothing",
    arguments: [
      ("nesting", String(repeating: "[", count: 3_000_000), "FILE_UNSUPPORTED"),
      ("html", "[<html>]\"dateOfSleep\"", "FILE_BROKEN"), ("colons", "[:::::]\"dateOfSleep\"", "FILE_BROKEN"),
      ("nothing", "[]", "FILE_UNSUPPORTED"), ("members", "{\"a\":1}", "FILE_UNSUPPORTED"),
      ("endless", "[{\"dateOfSleep\":\"" + String(repeating: "x", count: 5_000_000), "FILE_BROKEN"),
      ("inner", "[{\"dateOfSleep\":" + String(repeating: "[", count: 5_000_000), "FILE_BROKEN"),
      ("comment", "/* \"dateOfSleep\"", "FILE_UNSUPPORTED"),
    ])
  func hostile(name: String, text: String, reason: String) async throws {
    try await RunningImporter.with { importer in
      let refused = try await refusal { try await importer.importFile(Array(text.utf8)) }
      #expect(refused.code == .invalidArgument && refused.reason == reason, "\(refused)")
    }
  }

  @Test("[IM-10] a record that is too long is passed over, and more than a hundred broken ones are counted")
  func long() async throws {
    try await RunningImporter.with { importer in
      let long = "{\"logId\": 3, \"activityName\": \"\(String(repeating: "x", count: 2_000_000))\"}"
      let broken = String(repeating: "{\"logId\": {}}, ", count: 150)
      let good = MadeFile.exercise(1, at: "01/02/25 10:00:00")
      let done = try await importer.importFile(Self.zip(("exercise-0.json", "[\(long), \(broken) \(good)]")))
      #expect(done.newActivities == 1 && done.skippedCount == 151 && done.skipped.count == 100)
      #expect(done.skipped.first?.message == "It is too long")
    }
  }

  @Test(
    "[IM-10] [IM-6] real answers of Fitbit's retired Web API, with byte order marks and what is no strict JSON, are read",
    .enabled(if: SharedTracks.isPresent, SharedTracks.comment),
    arguments: [
      // Activities, nights, days, weighings, and records that lack something.
      ("fitbit.net/GetActivityLogsList", [20, 0, 0, 0, 0]), ("fitbit.net/SleepLogList", [0, 0, 0, 0, 1]),
      ("fitbit.net/GetSleep", [0, 1, 0, 0, 0]), ("fitbit-web-api-testdata/weight_log_list", [0, 0, 0, 1, 0]),
      ("fitbit-web-api-testdata/activity_log_list", [1, 0, 0, 0, 0]),
      ("shimmer/fitbit-activities-date-multiple-in-activities-list", [2, 0, 0, 0, 1]),
      ("shimmer/fitbit-body-log-weight", [0, 0, 0, 4, 0]),
    ])
  func real(name: String, counts: [Int32]) async throws {
    try await RunningImporter.with { importer in
      let file = try SharedTracks.bytes("trackers/fitbit/\(name).json")
      for (file, user) in [(file, TestUser.ada), (MadeFile.zip([("Fitbit/\(name).json", file)]), .grace)] {
        let done = try await importer.importFile(file, zone: "America/Los_Angeles", as: user)
        #expect(
          [done.newActivities + done.mergedActivities, done.sleeps, done.stepDays, done.weights, done.skippedCount]
            == counts)
      }
    }
  }
}
