import Identifiers
import MatchingDomain
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

/// Moments are minutes after ``RunningMatching/start``: 15 January 2026, noon in UTC.
@Suite("slots and the clocks of zones", .timeLimit(.minutes(5)))
struct TimeZoneTests {
  /// The days after which the test begins, and when New York's clocks change: forward on 8 March, back on 1 November.
  static let changes = [(0, 52 * 1_440 - 5 * 60), (250, 290 * 1_440 - 6 * 60)]

  private static func gym(in zone: String, _ matching: RunningMatching) -> TestGym {
    let gym = TestGym(20, 40.73, -73.99)
    matching.open(gym, in: zone)
    return gym
  }

  @Test(
    "[MA-1] [MA-2] a slot lasts what passes between its ends, whichever way the clocks change in it", arguments: changes
  )
  func slots(day: Int, change: Int) async throws {
    try await RunningMatching.with(after: day) { matching in
      let gym = Self.gym(in: "America/New_York", matching)
      func post(_ start: Int, _ length: Int, as user: TestUser) async throws -> Session {
        try await matching.post(RunningMatching.request(in: start, lasting: length, at: gym), as: user)
      }
      _ = try await post(change - 10, 15, as: .ada)
      _ = try await post(change - 240, 480, as: .grace)
      for length in [14, 481] {
        let refused = try await refusal { try await post(change - length / 2, length, as: .kim) }
        #expect(refused.fieldReasons == ["SLOT_INVALID"])
      }
      // By the clocks on the wall these are one hour where they go back, and two hours apart where they go forward.
      _ = try await post(change - 60, 60, as: .kim)
      _ = try await post(change, 60, as: .kim)
      let overlapping = try await refusal { try await post(change - 1, 15, as: .kim) }
      #expect(overlapping.reason == "SLOT_TAKEN")
    }
  }

  @Test(
    "[MA-7] [MA-8] an hour's notice and the quarter of an hour of check-ins are time that passes, whichever way the clocks change in it",
    arguments: changes)
  func margins(day: Int, change: Int) async throws {
    try await RunningMatching.with(after: day) { matching in
      let gym = Self.gym(in: "America/New_York", matching)
      let session = try await matching.match(RunningMatching.request(in: change + 5, at: gym))
      let late = try await matching.match(RunningMatching.request(in: change + 70, at: gym))
      try await matching.advance(to: .seconds(60 * (change - 10) - 1))
      let early = try await refusal { try await matching.checkIn(session, as: .ada, at: gym.wire) }
      #expect(early.reason == "OUTSIDE_CHECK_IN_WINDOW")
      try await matching.advance(by: .seconds(1))
      for user in [TestUser.ada, .grace] { try await matching.checkIn(session, as: user, at: gym.wire) }
      try await matching.advance(to: .seconds(60 * (change + 10)))
      #expect(try await matching.cancel(late, as: .grace).barEndTime == nil)
      try await matching.advance(by: .seconds(1))
      #expect(try await matching.cancel(late, as: .ada).barEndTime != nil)
    }
  }

  /// A weekly session: its gym's zone, the day on which the test begins, the first start, and the starts by the clocks on the wall.
  struct Weeks: Sendable, CustomTestStringConvertible {
    let zone: String
    var day = 0
    let first: Int
    let local: [String]
    /// The starts of the second week in UTC.
    let second: String

    var testDescription: String { "\(zone) \(local[0])" }
  }

  static let weeks = [
    // 02:30 does not exist on 8 March: the session is when the clocks have gone forward.
    Weeks(
      zone: "America/New_York", first: 45 * 1_440 - 270, local: ["03-01 02:30", "03-08 03:00", "03-15 02:30"],
      second: "03-08 07:00"),
    // 01:30 comes twice on 1 November.
    Weeks(
      zone: "America/New_York", day: 250, first: 283 * 1_440 - 390,
      local: ["10-25 01:30", "11-01 01:30", "11-08 01:30"],
      second: "11-01 05:30"),
    // Half an hour back on 5 April.
    Weeks(
      zone: "Australia/Lord_Howe", day: 30, first: 72 * 1_440 + 165,
      local: ["03-29 01:45", "04-05 01:45", "04-12 01:45"],
      second: "04-04 14:45"),
    // The farthest zones: another day than in UTC.
    Weeks(
      zone: "Pacific/Kiritimati", first: 3 * 1_440 - 90, local: ["01-19 00:30", "01-26 00:30", "02-02 00:30"],
      second: "01-25 10:30"),
    Weeks(
      zone: "Etc/GMT-14", first: 3 * 1_440 - 121, local: ["01-18 23:59", "01-25 23:59", "02-01 23:59"],
      second: "01-25 09:59"),
    Weeks(
      zone: "Etc/GMT+12", first: 3 * 1_440 - 30, local: ["01-17 23:30", "01-24 23:30", "01-31 23:30"],
      second: "01-25 11:30"),
  ]

  @Test("[MA-1] a weekly session keeps its day and time by the clocks of its gym, in every zone", arguments: weeks)
  func weekly(_ weeks: Weeks) async throws {
    try await RunningMatching.with(after: weeks.day) { matching in
      let gym = Self.gym(in: weeks.zone, matching)
      let session = try await matching.post(RunningMatching.request(in: weeks.first, at: gym))
      try await matching.repeated(session)
      for _ in 0..<2 {
        let newest = try await matching.value("select extract(epoch from max(starts_at))::bigint from sessions")
        let next = Instant(microseconds: (newest.flatMap { Int64($0) } ?? 0) * 1_000_000)
        try await matching.advance(by: next - matching.clock.now)
        _ = try await matching.localStarts()
      }
      #expect(try await matching.localStarts() == weeks.local)
      let second =
        "select to_char(starts_at at time zone 'UTC', 'MM-DD HH24:MI') from sessions order by starts_at offset 1 limit 1"
      #expect(try await matching.value(second) == weeks.second)
    }
  }
}
