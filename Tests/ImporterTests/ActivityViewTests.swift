import GoogleType
import Identifiers
import ImporterDomain
import TTRPC
import TandemEvents
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("views of activities")
struct ActivityViewTests {
  @Test("[IM-7] [IM-11] an activity is stored once, published and listed")
  func stored() async throws {
    try await RunningImporter.with { importer in
      let run = ImportedActivity.run(at: importer.clock.now)
      let first = try await importer.store(ImportedBatch(activities: [run]))
      let again = try await importer.store(ImportedBatch(activities: [run]))

      #expect(first.newActivities == 1 && again.knownActivities == 1 && again.newActivities == 0)
      let listed = try await importer.activities.listActivities(ListActivitiesRequest(), TestUser.ada.options)
      #expect(listed.activities.map(\.distanceM) == [10_000] && listed.activities.map(\.sport) == [.run])
      #expect(listed.activities.first?.sources.map(\.provider) == ["strava"])
      #expect(try await importer.told(ActivityStored.self).map(\.distanceM) == [10_000])
      let others = try await importer.activities.listActivities(ListActivitiesRequest(), TestUser.grace.options)
      #expect(others.activities.isEmpty)
    }
  }
}

extension ImportedActivity {
  /// An hour's run of ten kilometres.
  static func run(at start: Instant, provider: String = "strava", externalID: String = "1") -> ImportedActivity {
    ImportedActivity(
      provider: provider, externalID: externalID, sport: .run, startedAt: start, timeZone: "Europe/Berlin",
      durationSeconds: 3_600, distanceMetres: 10_000, title: "Morning run")
  }
}
