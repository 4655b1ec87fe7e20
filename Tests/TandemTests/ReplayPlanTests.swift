import Geography
import Identifiers
import Testing

@testable import tandem

@Suite("plans of replays")
struct ReplayPlanTests {
  /// A recording with a position at each of these seconds, 0.0001 degrees apart, all in one segment.
  private static func recording(_ seconds: [Double?]) -> Recording {
    Recording(
      samples: seconds.enumerated().map { number, second in
        Recording.Sample(
          segment: 0, time: second.map { Instant(microseconds: 1_500_000_000_000_000 + Int64($0 * 1e6)) },
          place: GeoPoint(latitude: 0, longitude: Double(number) / 10_000), altitudeM: nil)
      })
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// When the positions were taken, in seconds.
    let recorded: [Double?]
    /// When they are played.
    let played: [Double]
    var findings = ReplayPlan.Findings()
  }

  private static let cases = [
    Case(testDescription: "nothing", recorded: [], played: []),
    Case(testDescription: "positions in order keep their distances", recorded: [5, 6, 9], played: [0, 1, 4]),
    Case(
      testDescription: "a long pause is shortened", recorded: [0, 1, 1_000, 1_001], played: [0, 1, 101, 102],
      findings: .init(shortenedPauses: 1)),
    Case(
      testDescription: "a clock that was set back goes on from there", recorded: [0, 2, 4, -50, -48],
      played: [0, 2, 4, 6, 8],
      findings: .init(clockSetBack: 1)),
    Case(
      testDescription: "a clock that stands goes on by a second", recorded: [7, 7, 7], played: [0, 1, 2],
      findings: .init(sameTime: 2)),
    Case(
      testDescription: "a single time in the past is left out", recorded: [0, 1, -900, 2, 3], played: [0, 1, 2, 3],
      findings: .init(strayTimes: 1)),
    Case(
      testDescription: "a single time in the future is left out", recorded: [0, 1, 9_000, 2, 3], played: [0, 1, 2, 3],
      findings: .init(strayTimes: 1)),
    Case(
      testDescription: "positions of one second are spread over it", recorded: [0, 1, 1, 2, 3],
      played: [0, 1, 1.5, 2, 3],
      findings: .init(sameTime: 1)),
    Case(
      testDescription: "positions without a time are spread between their neighbours", recorded: [0, nil, nil, 3],
      played: [0, 1, 2, 3], findings: .init(interpolated: 2)),
    Case(
      testDescription: "positions without a time at both ends are left out", recorded: [nil, 0, 1, nil],
      played: [0, 1],
      findings: .init(withoutTime: 2)),
    Case(
      testDescription: "a recording without times has nothing to play", recorded: [nil, nil], played: [],
      findings: .init(withoutTime: 2)),
  ]

  @Test("a plan plays what was recorded, and counts what it leaves out or changes", arguments: cases)
  func planned(_ example: Case) {
    let plan = ReplayPlan(Self.recording(example.recorded), maxPause: .seconds(100))
    var findings = example.findings
    findings.positions = example.recorded.count
    let played = plan.steps.map { ($0.offset.seconds * 1_000).rounded() / 1_000 }
    #expect(played == example.played)
    #expect(plan.findings == findings)
  }

  @Test("positions without a time are not spread over a pause between segments")
  func segments() {
    var recording = Self.recording([0, nil, nil, 3])
    for place in 2..<4 { recording.samples[place].segment = 1 }
    let plan = ReplayPlan(recording, maxPause: .seconds(100))
    #expect(plan.steps.count == 2)
    #expect(plan.findings == .init(positions: 4, withoutTime: 2))
  }

  @Test("coordinates that are not on Earth are left out")
  func offEarth() {
    var recording = Self.recording([0, 1, 2])
    recording.samples[1].place = nil
    #expect(ReplayPlan(recording, maxPause: .seconds(100)).findings == .init(positions: 3, offEarth: 1))
  }

  @Test("the way back has the same pauses, from the last position to the first")
  func reversed() {
    let plan = ReplayPlan(Self.recording([0, 1, 11, 13]), maxPause: .seconds(100)).reversed
    #expect(plan.steps.map(\.offset) == [.zero, .seconds(2), .seconds(12), .seconds(13)])
    #expect(plan.steps.first?.place == GeoPoint(latitude: 0, longitude: 0.0003))
    #expect(plan.reversed.steps.map(\.offset) == [.zero, .seconds(1), .seconds(11), .seconds(13)])
  }

  @Test(
    "34-4: the demonstration's own recordings have waits, an uneven pace and errors, and are believed",
    arguments: 0..<3)
  func demonstration(_ walker: Int) async throws {
    let plan = try await DemoWalk.plans(of: [])[walker]
    let legs = zip(plan.steps, plan.steps.dropFirst()).map { one, next in
      (metres: one.place.distance(to: next.place).value, seconds: (next.offset - one.offset).seconds)
    }
    #expect(plan.findings == .init(positions: plan.steps.count) && plan.unbelievable(at: 1) == 0)
    #expect((.seconds(400)...(.seconds(2_400))).contains(plan.duration))
    #expect(legs.count { $0.metres < 2.5 } >= 15, "waits at three corners")
    #expect(Set(legs.map { ($0.seconds * 10).rounded() }).count > 10, "the pace changes")
    #expect(legs.allSatisfy { $0.metres > 0 && $0.metres / $0.seconds < 3 })
  }

  @Test("34-4: a file that cannot be walked is refused before the people are made")
  func unwalkable() async throws {
    let scratch = try Scratch()
    let file = "\(scratch.path)/route.gpx"
    try Files.write("<gpx><rte><rtept lat=\"1\" lon=\"1\"/></rte></gpx>", to: file)
    await #expect(throws: Complaint.self) { try await DemoWalk.plans(of: [file]) }
    await #expect(throws: Complaint.self) { try await DemoWalk.plans(of: ["\(scratch.path)/missing.gpx"]) }
  }

  @Test("positions that are reached too fast are counted for the speed of the replay", arguments: [(1.0, 0), (60, 2)])
  func tooFast(_ speed: Double, _ count: Int) {
    let plan = ReplayPlan(Self.recording([0, 1, 2]), maxPause: .seconds(100))
    #expect(plan.unbelievable(at: speed) == count)
  }

  @Test("live positions carry the time at which they are due, recorded ones their distance from the last")
  func times() {
    let start = Instant(microseconds: 0)
    func time(_ times: ReplayTimes) -> Duration {
      times.time(of: .seconds(30), in: .seconds(60), from: start, speed: 10) - start
    }
    #expect(time(.live) == .seconds(3) && time(.recorded) == .seconds(-24))
  }

  @Test("what the reader writes becomes a recording, and its faults say what to do")
  func readerOutput() throws {
    let recording = try Recording(readerOutput: "0\t1000000\t1.5\t2.5\t-\n1\t-\t-\t-\t7\nend\n")
    #expect(
      recording.samples == [
        .init(
          segment: 0, time: Instant(microseconds: 1_000_000), place: GeoPoint(latitude: 1.5, longitude: 2.5),
          altitudeM: nil),
        .init(segment: 1, time: nil, place: nil, altitudeM: 7),
      ])
    let fault = #expect(throws: Recording.Fault.self) {
      try Recording(readerOutput: "fault\t3\tA point has no number as lat or lon\n")
    }
    #expect(
      fault?.reason == "A point has no number as lat or lon (line 3); give a GPX file whose points have times")
    #expect(throws: Recording.Fault.self) { try Recording(readerOutput: "0\t1\t1.5\t2.5\t-\n") }
  }
}

@Suite("logins of replays")
struct ReplayLoginsTests {
  private func logins(_ arguments: [String], for count: Int) throws -> [ReplayLogins.Login] {
    try ReplayLogins.parse(arguments).logins(for: count) { user in "asked-\(user)" }
  }

  @Test("each file has a user, whose password is in the file of passwords or asked for")
  func passwords() throws {
    let scratch = try Scratch()
    let file = "\(scratch.path)/users.txt"
    try Files.write("ada two words\nhedy\n", to: file)
    let found = try logins(["--as", "ada", "--as", "hedy", "--passwords", file], for: 2)
    #expect(
      found == [.password(user: "ada", password: "two words"), .password(user: "hedy", password: "asked-hedy")])
  }

  @Test(
    "users that do not fit the files are refused",
    arguments: [
      (["--as", "ada"], 2), (["--as", "ada", "--as", "ada"], 2), (["--as", "ada", "--passwords", "/none"], 1),
    ])
  func refused(_ arguments: [String], _ count: Int) {
    #expect(throws: Complaint.self) { try logins(arguments, for: count) }
  }
}
