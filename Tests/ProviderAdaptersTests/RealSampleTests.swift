import Foundation
import Identifiers
import ImporterDomain
import Testing
import WorkerPool

@testable import ProviderAdapters
@testable import ProviderDocuments

/// The real bodies, where they are beside the repository.
@Suite(
  "real bodies of providers",
  .enabled(if: Samples.folder != nil, "skipped: the folder shared/data/trackers is not here"))
struct RealSampleTests {
  @Test("[IM-6] Strava's activities, with a track and entered by hand")
  func strava() throws {
    let whole = try #require(Strava.activity(try JSONValue(try Samples.real("strava/stravalib/activity.3.json"))))
    let manual = try #require(
      Strava.activity(try JSONValue(try Samples.real("strava/stravalib/activity-manual.3.json"))))
    #expect(whole.sport == .run && whole.timeZone.contains("/"))
    #expect(manual.sport == .hike && manual.timeZone == "America/Los_Angeles" && manual.distanceMetres == 22_530.8)
    #expect(manual.durationSeconds == 38_700 && manual.energyKilocalories == 2_084.438266172827)
  }

  @Test("[IM-6] Withings' workouts, days, nights and weighings")
  func withings() throws {
    let page = { (kind: DataKind, name: String) in
      try Samples.page(Withings(), kind, try Samples.real("withings/\(name)"))
    }
    let workouts = try page(.activities, "python-withings/workouts.json")
    let days = try page(.steps, "python-withings/activity.json")
    let nights = try page(.sleep, "python-withings/sleep_summary.json")
    let weights = try page(.weight, "shimmer/withings-body-measures.json")
    #expect(workouts.records.activities.first?.externalID == "3661300277" && workouts.skipped == 0)
    #expect(workouts.records.activities.first?.timeZone == "Europe/Amsterdam")
    #expect(days.records.steps.first?.steps == 1_209 && days.skipped == 0)
    #expect(nights.records.sleeps.count > 100 && nights.skipped == 0)
    #expect(nights.records.sleeps.first?.asleepSeconds == 18_660)
    #expect(!weights.records.weights.isEmpty && weights.skipped == 0)
    #expect(
      try page(.weight, "python-withings/measurement.json").records.weights.map(\.kilograms) == [118.003, 118.003])
    #expect(try page(.weight, "shimmer/withings-body-measures-only-goal.json").records.weights.isEmpty)
    for name in ["withings-activity-measures", "withings-sleep-summary"] {
      _ = try page(name.contains("sleep") ? .sleep : .steps, "shimmer/\(name).json")
    }
  }

  @Test("no real body of any provider makes an adapter fail otherwise than by a refusal")
  func all() throws {
    let folder = try #require(Samples.folder)
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    var read = 0
    for file in files where file.hasSuffix(".json") {
      let body = try Samples.real(file)
      for adapter in Providers.all {
        for stream in adapter.streams {
          do {
            _ = try adapter.page(
              of: stream, Samples.window, at: nil, DataAnswer(status: 200, body: body), on: .assumed())
            read += 1
          } catch { #expect(error == .shape || error == .unreadable(.notJSON), "\(file)") }
        }
      }
    }
    #expect(read > 50)
  }
}
