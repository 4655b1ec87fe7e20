import Identifiers
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain

@Suite("positions from before they were shared", .timeLimit(.minutes(5)))
struct SharedSinceTests {
  /// Reports one of Ada's positions, which her phone has from so long ago by its own clock.
  private static func report(
    _ latitude: Double, from seconds: Int64 = 0, _ tracking: RunningTracking
  ) async throws {
    let point = Position(
      latitude: latitude, longitude: 13.4, time: (tracking.clock.now + .seconds(-seconds)).timestamp, accuracyM: 5)
    let counts = try await tracking.locations.reportBatch(ReportBatchRequest(points: [point]), TestUser.ada.options)
    #expect(counts.accepted == 1)
  }

  private static func latitude(
    in group: GroupID, seenBy viewer: TestUser = .grace, _ tracking: RunningTracking
  ) async throws -> Double? {
    try await tracking.member(.ada, in: group, seenBy: viewer).position?.latitude
  }

  /// The latitudes that the log of a group has, which live views are sent.
  private static func logged(_ tracking: RunningTracking) async throws -> [String] {
    try await tracking.sql("select latitude from group_changes where latitude is not null order by sequence")
      .compactMap { $0.first ?? nil }
  }

  @Test(
    "[TR-1] [TR-12] a group sees no position from before its member began to share, though it is reported afterwards",
    arguments: [true, false])
  func stored(onJourney: Bool) async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      tracking.clock.advance(by: .seconds(3_600))
      if onJourney { try await tracking.depart(seenBy: [group]) } else { try await tracking.share(with: [group]) }
      try await tracking.watch([WatchedGroup(group)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        try await Self.report(52.1, from: 1_800, tracking)
        let points = [600, 300].map { seconds in
          Position(
            latitude: 52.1, longitude: 13.4, time: (tracking.clock.now + .seconds(-seconds)).timestamp, accuracyM: 5)
        }
        _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
        #expect(try await Self.latitude(in: group, tracking) == nil)
        tracking.clock.advance(by: .seconds(1))
        try await Self.report(52.101, tracking)
        #expect(try await Self.latitude(in: group, tracking) == 52.101)
        while true {
          guard case .member(let ada) = try await reader.change().change else { continue }
          if ada.position?.latitude == 52.101 { break }
          #expect(ada.position == nil && ada.state != .inactive)
        }
      }
      #expect(try await Self.logged(tracking) == ["52.101"])
    }
  }

  @Test("[TR-1] a position from before sharing began is not kept for the group when it ends")
  func kept() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      try await Self.report(52.1, tracking)
      try await tracking.stopSharing(with: [group])
      tracking.clock.advance(by: .seconds(3_600))
      try await tracking.share(with: [group])
      try await Self.report(52.2, from: 1_800, tracking)
      #expect(try await Self.latitude(in: group, tracking) == 52.1)
      try await tracking.stopSharing(with: [group])
      #expect(try await Self.latitude(in: group, tracking) == 52.1)
    }
  }

  @Test("[TR-1] a position of the last minute is shown at once, as clocks differ a little")
  func recent() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      try await Self.report(52.1, from: 50, tracking)
      #expect(try await Self.latitude(in: group, tracking) == 52.1)
    }
  }

  @Test("[TR-1] a phone whose clock is 20 minutes behind is seen from its second position on, and from then on at once")
  func slowClock() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = (
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada, .grace])
      )
      try await tracking.share(with: [home])
      try await Self.report(52.1, from: 1_200, tracking)
      #expect(try await Self.latitude(in: home, tracking) == nil)
      tracking.clock.advance(by: .seconds(10))
      try await Self.report(52.101, from: 1_200, tracking)
      #expect(try await Self.latitude(in: home, tracking) == 52.101)
      tracking.clock.advance(by: .seconds(10))
      try await tracking.share(with: [club])
      #expect(try await Self.latitude(in: club, tracking) == nil)
      // What it sends at once after minutes in a tunnel.
      tracking.clock.advance(by: .seconds(300))
      let points = [290, 250, 200].map { seconds in
        Position(
          latitude: 52.102, longitude: 13.4, time: (tracking.clock.now + .seconds(-1_200 - seconds)).timestamp,
          accuracyM: 5)
      }
      _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
      #expect(try await Self.latitude(in: club, tracking) == 52.102)

      // Stored before it is shared with a further group.
      tracking.clock.advance(by: .seconds(100))
      let team = try await tracking.group(3, of: [.ada, .grace])
      try await tracking.share(with: [team])
      try await Self.report(52.103, from: 1_250, tracking)
      #expect(try await Self.latitude(in: club, tracking) == 52.103)
      #expect(try await Self.latitude(in: team, tracking) == nil)
    }
  }

  @Test("[TR-5] in an alert the groups see whatever is reported after it, of a phone whose clock is behind too")
  func alert() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      try await Self.report(52.1, from: 1_200, tracking)
      #expect(try await Self.latitude(in: group, tracking) == 52.1)
      #expect(try await Self.logged(tracking) == ["52.1"])
    }
  }

  @Test("[TR-12] [TR-1] a new member sees where those are who share, and not where others were who had stopped before")
  func newMember() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      try await tracking.share(with: [group], as: .grace)
      try await Self.report(52.1, tracking)
      try await tracking.report(52.3, 13.4, as: .grace)
      tracking.clock.advance(by: .seconds(10))
      try await tracking.stopSharing(with: [group])
      tracking.clock.advance(by: .seconds(10))
      try await tracking.group(of: [.alan])
      try await tracking.watch([WatchedGroup(group)], as: .alan) { _, reader in
        let members = try #require(try await reader.snapshot().group?.members)
        func position(of user: TestUser) -> Double? {
          members.first { $0.userID == user.id.description }?.position?.latitude
        }
        #expect(members.count == 3)
        #expect(position(of: .grace) == 52.3 && position(of: .ada) == nil)
      }
      #expect(try await Self.latitude(in: group, seenBy: .grace, tracking) == 52.1)

      // What ends while a user is a member stays readable to them.
      tracking.clock.advance(by: .seconds(10))
      try await tracking.stopSharing(with: [group], as: .grace)
      #expect(try await tracking.member(.grace, in: group, seenBy: .alan).position?.latitude == 52.3)
    }
  }
}
