import Identifiers
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain

@Suite("streams of one user", .timeLimit(.minutes(5)))
struct StreamLimitTests {
  /// Runs `body` while Grace has so many streams more open.
  private func watching(
    _ count: Int, _ group: GroupID, in tracking: RunningTracking, _ body: @Sendable () async throws -> Void
  ) async throws {
    if count == 0 { return try await body() }
    let request = WatchGroupsRequest(groups: [WatchedGroup(group)])
    try await tracking.locations.watchGroups(request, TestUser.grace.options) { responses in
      var reader = WatchReader(responses)
      _ = try await reader.snapshot()
      try await watching(count - 1, group, in: tracking, body)
    }
  }

  /// Runs `body` while Ada has so many streams more open.
  private func reporting(
    _ count: Int, in tracking: RunningTracking, _ body: @Sendable () async throws -> Void
  ) async throws {
    if count == 0 { return try await body() }
    try await tracking.locations.report(TestUser.ada.options) { requests, summaries in
      try await requests.send(ReportRequest(points: [Self.position(tracking)]))
      var summaries = summaries.makeAsyncIterator()
      _ = try await summaries.next()
      try await reporting(count - 1, in: tracking, body)
    }
  }

  private static func position(_ tracking: RunningTracking) -> Position {
    Position(latitude: 1, longitude: 2, time: tracking.clock.now.timestamp)
  }

  @Test("a user has 32 views open; one more is refused, whichever method opens it, and another user's is not")
  func views() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await watching(32, home, in: tracking) {
        let status = try await refusal { try await watching(1, home, in: tracking) {} }
        #expect(status.code == .resourceExhausted && status.reason == "TOO_MANY_STREAMS")
        let bidirectional = await reason {
          try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in _ = try await reader.snapshot() }
        }
        #expect(bidirectional == "TOO_MANY_STREAMS")
        try await tracking.watch([WatchedGroup(home)], as: .ada) { _, reader in _ = try await reader.snapshot() }
      }
      try await until("an ended view makes room") {
        await reason { try await watching(32, home, in: tracking) {} } == nil
      }
    }
  }

  @Test("a user has 16 streams of reports open; one more is refused, and calls are not")
  func reports() async throws {
    try await RunningTracking.with { tracking in
      try await tracking.group(of: [.ada])
      try await reporting(16, in: tracking) {
        let status = try await refusal { try await reporting(1, in: tracking) {} }
        #expect(status.code == .resourceExhausted && status.reason == "TOO_MANY_STREAMS")
        _ = try await tracking.locations.reportBatch(
          ReportBatchRequest(points: [Self.position(tracking)]), TestUser.ada.options)
      }
      try await until("an ended stream makes room") { await reason { try await reporting(16, in: tracking) {} } == nil }
    }
  }
}
