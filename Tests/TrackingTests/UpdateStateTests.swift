import Identifiers
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain

@Suite("states after position updates", .timeLimit(.minutes(5)))
struct UpdateStateTests {
  /// So that what is due is noticed as soon as the test's clock says so.
  private static let looks = ["--look-interval", "10ms"]
  /// Degrees of latitude that are about 50 m.
  private static let step = 0.00045

  private static func ada(in group: GroupID, _ tracking: RunningTracking) async throws -> Member {
    try await tracking.member(.ada, in: group, seenBy: .grace)
  }

  /// Returns when Ada's warnings are these.
  private static func untilWarned(_ warnings: [Warning], in group: GroupID, _ tracking: RunningTracking) async throws {
    try await until("the warnings are \(warnings)") { try await ada(in: group, tracking).warnings == warnings }
  }

  @Test("[TR-3] an update makes a member who was silent ACTIVE again, and keeps ACTIVE")
  func active() async throws {
    try await RunningTracking.with(Self.looks) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      try await tracking.report(52.4, 13.4)
      #expect(try await Self.ada(in: group, tracking).state == .active)
      tracking.clock.advance(by: .seconds(61))
      try await until("Ada is silent") { try await Self.ada(in: group, tracking).state == .inactive }
      for _ in 0..<2 {
        try await tracking.report(52.4, 13.4)
        #expect(try await Self.ada(in: group, tracking).state == .active)
        tracking.clock.advance(by: .seconds(1))
      }
      #expect(try await tracking.news() == [])
    }
  }

  @Test("[TR-3] updates keep ROUTING, end WARNING by silence, and keep WARNING once the promised time has passed")
  func journey() async throws {
    try await RunningTracking.with(Self.looks) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      try await tracking.report(52.4, 13.4)
      #expect(try await Self.ada(in: group, tracking).state == .routing)

      tracking.clock.advance(by: .seconds(61))
      try await Self.untilWarned([.offline], in: group, tracking)
      #expect(try await Self.ada(in: group, tracking).state == .warning)
      try await tracking.report(52.4 + Self.step, 13.4)
      let back = try await Self.ada(in: group, tracking)
      #expect(back.state == .routing && back.warnings == [] && back.journeyID == journey.journeyID)

      tracking.clock.advance(by: .seconds(3_600))
      try await Self.untilWarned([.offline, .late], in: group, tracking)
      try await tracking.report(52.4 + 2 * Self.step, 13.4)
      let late = try await Self.ada(in: group, tracking)
      #expect(late.state == .warning && late.warnings == [.late] && late.position?.latitude == 52.4 + 2 * Self.step)
    }
  }

  @Test("[TR-3] updates keep SOS, before and after silence")
  func alert() async throws {
    try await RunningTracking.with(Self.looks) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      try await tracking.report(52.4, 13.4)
      #expect(try await Self.ada(in: group, tracking).state == .sos)
      tracking.clock.advance(by: .seconds(61))
      try await until("the silence is told") {
        try await tracking.news() == ["sosStarted to grace.h", "sosWentOffline to grace.h"]
      }
      let silent = try await Self.ada(in: group, tracking)
      #expect(silent.state == .sos && silent.warnings == [.offline])
      try await tracking.report(52.4 + Self.step, 13.4)
      let ada = try await Self.ada(in: group, tracking)
      #expect(ada.state == .sos && ada.warnings == [] && ada.position?.latitude == 52.4 + Self.step)
    }
  }

  @Test("[TR-8] [TR-3] 30 samples within 10 m are a stop, told once; moving on ends WARNING, and the next stop is told")
  func thirtySamples() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.depart(seenBy: [group])
      var told = ["journeyStarted to grace.h"]
      for stop in 0..<2 {
        let latitude = 52.4 + Double(stop) * Self.step
        for sample in 1...35 {
          tracking.clock.advance(by: .seconds(5))
          // To and fro within 9 m.
          try await tracking.report(latitude + (sample.isMultiple(of: 2) ? 0.00008 : 0), 13.4, accuracy: 5)
          let ada = try await Self.ada(in: group, tracking)
          #expect(ada.state == (sample < 30 ? .routing : .warning), "sample \(sample) of stop \(stop)")
          #expect(ada.warnings == (sample < 30 ? [] : [.standingStill]))
        }
        told.append("standingStill to grace.h")
        #expect(try await tracking.news() == told)
      }
      tracking.clock.advance(by: .seconds(5))
      try await tracking.report(52.41, 13.4, accuracy: 5)
      #expect(try await Self.ada(in: group, tracking).state == .routing)
      #expect(try await tracking.news() == told)
    }
  }

  @Test(
    "[TR-8] ten minutes at a place are a stop, noticed without a further update, told once, and again after moving on")
  func tenMinutes() async throws {
    try await RunningTracking.with(Self.looks) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.depart(seenBy: [group])
      var told = ["journeyStarted to grace.h"]
      for stop in 0..<2 {
        // Every 50 seconds, so that there is no silence and there are fewer than 30 samples.
        for sample in 0...11 {
          try await tracking.report(52.4 + Double(stop) * Self.step, 13.4, accuracy: 5)
          #expect(try await Self.ada(in: group, tracking).state == .routing, "sample \(sample) of stop \(stop)")
          tracking.clock.advance(by: .seconds(50))
        }
        try await Self.untilWarned([.standingStill], in: group, tracking)
        told.append("standingStill to grace.h")
        try await tracking.report(52.4 + Double(stop) * Self.step, 13.4, accuracy: 5)
        #expect(try await Self.ada(in: group, tracking).state == .warning)
        #expect(try await tracking.news() == told)
        tracking.clock.advance(by: .seconds(1))
      }
    }
  }

  @Test("[TR-8] a slow walk is no stop, and who stands still without being on a journey is not told of")
  func noStop() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      for _ in 0..<40 {
        tracking.clock.advance(by: .seconds(5))
        try await tracking.report(52.4, 13.4, accuracy: 5)
      }
      #expect(try await Self.ada(in: group, tracking).state == .active)
      try await tracking.depart(seenBy: [group])
      for sample in 0..<60 {
        tracking.clock.advance(by: .seconds(5))
        // 1 m at a time.
        try await tracking.report(52.4 + Double(sample) * 0.000009, 13.4, accuracy: 5)
      }
      #expect(try await Self.ada(in: group, tracking).state == .routing)
      #expect(try await tracking.news() == ["journeyStarted to grace.h"])
    }
  }
}
