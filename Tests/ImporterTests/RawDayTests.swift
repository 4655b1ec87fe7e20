import Identifiers
import ImporterDomain
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("what is kept beside the model", .ownThreads, .timeLimit(.minutes(5)))
struct RawDayTests {
  @Test("[IM-7] I-13: what Withings says of days and weighings beyond steps and weight is kept")
  func rawDays() async throws {
    try await RunningImporter.withTrackers(["withings"]) { importer, simulator in
      let answers = [
        "getactivity":
          #"{"activities":[{"date":"2025-06-01","steps":9000,"distance":6543.2,"elevation":12,"calories":310}]}"#,
        "getmeas":
          #"{"measuregrps":[{"grpid":1,"date":1748764800,"category":1,"measures":[{"value":72500,"type":1,"unit":-3},{"value":215,"type":6,"unit":-1}]}]}"#,
      ]
      let rule: TrackerSimulator.Rule = { request in
        .json(#"{"status":0,"body":\#(answers[request.form["action"] ?? ""] ?? #"{"series":[]}"#)}"#)
      }
      simulator.answer("/measure", rule)
      simulator.answer("/sleep", rule)
      let ended = try await importer.imported(simulator, "withings")
      #expect(ended.state == .succeeded && ended.stepDayCount == 1 && ended.weightCount == 1, "\(ended)")
      let day = { (name: String) in try await importer.value("select raw::jsonb ->> '\(name)' from daily_steps") }
      for (name, value) in [("distance", "6543.2"), ("elevation", "12"), ("calories", "310")] {
        #expect(try await day(name) == value, "\(name)")
      }
      #expect(try await importer.value("select raw::jsonb #>> '{measures,1,value}' from weights") == "215")
      let asked = simulator.requests("/measure").map(\.form)
      #expect(asked.contains { $0["meastypes"]?.split(separator: ",").contains("6") == true })
      #expect(asked.contains { $0["data_fields"]?.contains("totalcalories") == true })

      // The quota counts it, and it is deleted with the rest.
      let used = try await importer.activities.getStorage(GetStorageRequest(), TestUser.ada.options)
      #expect((used.used?.bytes ?? 0) > 150)
      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "withings"), TestUser.ada.options)
      #expect(try await importer.value("select count(*) from weights") == "0")
    }
  }

  @Test("[IM-7] I-13: what else a provider says of a day is renewed when it changes, and kept when nothing is said")
  func renewedDays() async throws {
    try await RunningImporter.with { importer in
      let day = try #require(CivilDate(year: 2025, month: 6, day: 1))
      let moment = Instant(microseconds: 1_748_764_800_000_000)
      let reports: [(raw: String?, stored: String)] = [
        (#"{"a":1}"#, #"{"a":1}"#), (#"{"a":2}"#, #"{"a":2}"#), (nil, #"{"a":2}"#),
      ]
      for (raw, stored) in reports {
        try await importer.store(
          ImportedBatch(
            steps: [ImportedSteps(provider: "withings", day: day, steps: 900, raw: raw)],
            weights: [ImportedWeight(provider: "withings", measuredAt: moment, kilograms: 70, raw: raw)]))
        #expect(try await importer.value("select raw from daily_steps") == stored)
        #expect(try await importer.value("select raw from weights") == stored)
      }
    }
  }
}
