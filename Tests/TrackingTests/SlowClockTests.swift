import Identifiers
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingStore

@Suite("phones whose clocks are behind", .timeLimit(.minutes(5)))
struct SlowClockTests {
  /// Reports where Ada is, by a clock that is behind.
  private static func report(_ latitude: Double, _ tracking: RunningTracking) async throws {
    let point = Position(
      latitude: latitude, longitude: 13.4, time: (tracking.clock.now + .seconds(-1_200)).timestamp, accuracyM: 5)
    let counts = try await tracking.locations.reportBatch(ReportBatchRequest(points: [point]), TestUser.ada.options)
    #expect(counts.accepted == 1)
  }

  @Test("[TR-5] [TR-11] the path of an alert begins with it, and is in order, when the clock is 20 minutes behind")
  func alert() async throws {
    try await RunningTracking.with { tracking in
      _ = try await tracking.group(of: [.ada, .grace])
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      let start = tracking.clock.now
      // Across the moment at which the phone's clock reaches the beginning of the alert.
      for minute in 1...30 {
        tracking.clock.advance(by: .seconds(60))
        try await Self.report(52.4 + Double(minute) / 1_000, tracking)
      }
      let path = try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: .grace)
      #expect(path.map(\.latitude) == (1...30).map { 52.4 + Double($0) / 1_000 })
      #expect(path.map(\.time) == (1...30).map { (start + .seconds(60 * $0)).timestamp })
    }
  }

  @Test("[TR-5] [TR-11] what such a phone stored while it was offline has its place in the path of the alert")
  func stored() async throws {
    try await RunningTracking.with { tracking in
      _ = try await tracking.group(of: [.ada, .grace])
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      tracking.clock.advance(by: .seconds(60))
      try await Self.report(52.4 + 1.0 / 1_000, tracking)
      tracking.clock.advance(by: .seconds(240))
      let points = [2, 3, 4, 5].map { minute in
        Position(
          latitude: 52.4 + Double(minute) / 1_000, longitude: 13.4,
          time: (tracking.clock.now + .seconds(-1_200 + 60 * (minute - 5))).timestamp, accuracyM: 5)
      }
      _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
      let path = try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: .grace)
      #expect(path.map(\.latitude) == (1...5).map { 52.4 + Double($0) / 1_000 })
    }
  }

  @Test("[TR-7] [TR-11] a journey with such a phone has a path and arrives; one fix from before it is neither")
  func journey() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      tracking.clock.advance(by: .seconds(1))
      // What the phone knew last, from the place to which the user goes now.
      try await Self.report(52.5, tracking)
      #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .routing)
      for step in [2, 1, 0] {
        tracking.clock.advance(by: .seconds(60))
        try await Self.report(52.5 + Double(step) / 1_000, tracking)
      }
      let ended = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.grace.options)
      #expect(ended.outcome == .onTime && ended.endTime == tracking.clock.now.timestamp)
      #expect(try await tracking.path(GetPathRequest(journeyID: journey.journeyID), as: .grace).count == 3)
    }
  }

  @Test(
    "[TR-11] [TR-5] what a phone stored before a journey is no part of its path, and before an alert only the last of it",
    arguments: [true, false])
  func storedBefore(isAlert: Bool) async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      tracking.clock.advance(by: .seconds(3_600))
      let journey =
        isAlert
        ? try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
        : try await tracking.depart(seenBy: [group])
      func send(_ ages: [Int64]) async throws {
        let points = ages.map { seconds in
          Position(
            latitude: 52.4 - Double(seconds) / 100_000, longitude: 13.4,
            time: (tracking.clock.now + .seconds(-seconds)).timestamp, accuracyM: 5)
        }
        let counts = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
        #expect(counts.accepted == ages.count)
      }
      // One by one, some at once, and, without a new one, an older one a minute later.
      for seconds in stride(from: Int64(1_800), to: 600, by: -30) {
        tracking.clock.advance(by: .milliseconds(100))
        try await send([seconds])
      }
      try await send([500, 400, 300])
      tracking.clock.advance(by: .seconds(60))
      try await send([350])
      // And what is from the journey, though it is sent only now.
      tracking.clock.advance(by: .seconds(600))
      try await send([500, 400, 300])
      let path = try await tracking.path(GetPathRequest(journeyID: journey.journeyID), as: .grace)
      let ages = (isAlert ? [1_800] : []) + [500, 400, 300]
      #expect(path.map(\.latitude) == ages.map { 52.4 - Double($0) / 100_000 })
      #expect(path.suffix(3).map(\.time) == [500, 400, 300].map { (tracking.clock.now + .seconds(-$0)).timestamp })
    }
  }

  @Test("[TR-14] a link shows a traveller whose phone's clock is behind from the second position on, until the end")
  func link() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let shares = JourneySharesClient(tracking.client)
      tracking.clock.advance(by: .seconds(3_600))
      let journey = try await tracking.depart(seenBy: [group])
      let link = try await shares.createShare(CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      func seen() async throws -> Double? {
        try await shares.getSharedJourney(GetSharedJourneyRequest(token: link.token)).position?.latitude
      }
      tracking.clock.advance(by: .seconds(10))
      try await Self.report(52.401, tracking)
      // As far as is known the phone stored it before the journey.
      #expect(try await seen() == nil)
      for step in 2...5 {
        tracking.clock.advance(by: .seconds(10))
        try await Self.report(52.4 + Double(step) / 1_000, tracking)
        #expect(try await seen() == 52.4 + Double(step) / 1_000)
      }
    }
  }

  @Test("[TR-14] what a phone stored before the journey is shown by no link, whether it is sent at once or one by one")
  func storedBefore() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let shares = JourneySharesClient(tracking.client)
      tracking.clock.advance(by: .seconds(3_600))
      let journey = try await tracking.depart(seenBy: [group])
      let link = try await shares.createShare(CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      for seconds in stride(from: 1_800, to: 600, by: -30) {
        tracking.clock.advance(by: .milliseconds(100))
        let point = Position(
          latitude: 52.4, longitude: 13.4, time: (tracking.clock.now + .seconds(-seconds)).timestamp, accuracyM: 5)
        _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: [point]), TestUser.ada.options)
        let seen = try await shares.getSharedJourney(GetSharedJourneyRequest(token: link.token))
        #expect(seen.position == nil, "\(seconds)")
      }
      let points = [500, 300].map { seconds in
        Position(
          latitude: 52.4, longitude: 13.4, time: (tracking.clock.now + .seconds(-seconds)).timestamp, accuracyM: 5)
      }
      _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
      #expect(try await shares.getSharedJourney(GetSharedJourneyRequest(token: link.token)).position == nil)
      tracking.clock.advance(by: .seconds(10))
      try await tracking.report(52.401, 13.4)
      #expect(
        try await shares.getSharedJourney(GetSharedJourneyRequest(token: link.token)).position?.latitude == 52.401)
    }
  }
}
