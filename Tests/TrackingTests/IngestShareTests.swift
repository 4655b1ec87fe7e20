import Batches
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingOperations
import TrackingStore

@Suite("a user who floods many groups with positions", .timeLimit(.minutes(5)))
struct IngestShareTests {
  @Test(
    "[TR-2] S-6 A9: reports that wait together are one change for each group, with the last position; the path has all")
  func folded() async throws {
    try await RunningTracking.with { tracking in
      var groups: [GroupID] = []
      for number in 1...30 as ClosedRange<UInt64> {
        groups.append(try await tracking.group(number, of: [.ada, .grace]))
      }
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      let began = tracking.clock.now
      tracking.clock.advance(by: .seconds(100))
      try await tracking.database.opened(as: "tracking") { own in
        try await withThrowingTaskGroup(of: Void.self) { calls in
          try await own.transaction { tx in
            _ = try await tx.rows(LockTrackers(userIDs: [TestUser.ada.id]))
            // Of a clock that is right, so that their own times are used, and no two have the same.
            for step in 1...40 {
              let point = Position(
                latitude: 52.4 + Double(step) / 100_000, longitude: 13.4,
                time: (began + .milliseconds(92_000 + 200 * step)).timestamp)
              calls.addTask {
                _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: [point]), TestUser.ada.options)
              }
              // The first waits for the row, and the others for it.
              if step == 1 { try await tracking.untilWaiting(1) }
            }
          }
          try await calls.waitForAll()
        }
      }
      // What came while the first one waited is stored together.
      let changes = try #require(
        try await tracking.value("select count(*) from group_changes where kind = 'POSITION'").flatMap { Int($0) })
      #expect(changes <= 20 * groups.count, "of 40 reports to 30 groups: \(changes)")
      let path = try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: .grace)
      #expect(path.count == 40)
      let last = try await tracking.sql(
        """
        select latitude from group_changes where (group_id, sequence) in (select id, sequence from groups)
        """)
      #expect(Set(last.compactMap { $0.first ?? nil }).count == 1)
    }
  }

  @Test("[TR-2] A9: a user takes part in a burst with one report or 500 positions, and the others take turns")
  func turns() throws {
    var queue = BatchQueue<String>(ReportIngest.limits)
    for number in 1...5 { try queue.add("ada \(number)", weight: 400, of: TestUser.ada.id) }
    for number in 1...3 { try queue.add("grace \(number)", weight: 100, of: TestUser.grace.id) }
    #expect(
      queue.take(BatchSize(entries: 100, weight: 5_000, weightOfUser: 500)) == [
        "ada 1", "grace 1", "grace 2", "grace 3",
      ])
    #expect(queue.take(BatchSize(entries: 100, weight: 5_000, weightOfUser: 500)) == ["ada 2"])
    #expect(queue.take(BatchSize(entries: 100, weight: 300)) == ["ada 3"])
    #expect(queue.take(BatchSize(entries: 100)) == ["ada 4", "ada 5"])
    #expect(queue.take(BatchSize(entries: 100)) == [])
  }
}
