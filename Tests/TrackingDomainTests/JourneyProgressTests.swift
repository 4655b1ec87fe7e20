import Geography
import Identifiers
import Testing
import TrackingDomain

@Suite("estimated arrivals")
struct JourneyProgressTests {
  /// Metres to the destination, second by second.
  private static func estimate(_ left: [Double], every seconds: Double = 1) -> (seconds: Double?, marks: Int) {
    var progress = JourneyProgress()
    var time = Walk.start
    for metres in left {
      progress.add(Metres(metres), at: time)
      time = time + .seconds(seconds)
    }
    return (progress.arrival.map { (($0 - (time - .seconds(seconds))) / .seconds(1)).rounded() }, progress.marks.count)
  }

  /// Metres to the destination of a user at a steady speed, for so many seconds.
  private static func steady(_ speed: Double, from left: Double, for seconds: Int) -> [Double] {
    (0..<seconds).map { left - speed * Double($0) }
  }

  @Test(
    "the way that is left takes as long as it does at the speed of the last minutes",
    arguments: [(1.4, 3_000.0), (5.0, 8_000), (27.0, 90_000), (0.25, 5_000)])
  func steadily(speed: Double, left: Double) {
    let way = Self.steady(speed, from: left, for: 400)
    #expect(Self.estimate(way).seconds == ((way.last ?? 0) / speed).rounded())
    #expect(Self.estimate(way).marks <= 16)
  }

  @Test("nothing is said in the first minute, nor by two positions")
  func early() {
    #expect(Self.estimate([]).seconds == nil)
    #expect(Self.estimate(Self.steady(1.4, from: 1_000, for: 60)).seconds == nil)
    #expect(Self.estimate(Self.steady(1.4, from: 1_000, for: 62)).seconds != nil)
    #expect(Self.estimate([1_000, 900], every: 300).seconds == nil)
  }

  @Test("nothing is said of a user who stands still, moves away, creeps, or would need more than a day")
  func unknown() {
    #expect(Self.estimate(Array(repeating: 500, count: 400)).seconds == nil)
    #expect(Self.estimate((0..<400).map { 500 + Double($0 % 7) }).seconds == nil)
    #expect(Self.estimate(Self.steady(-1.4, from: 500, for: 400)).seconds == nil)
    #expect(Self.estimate(Self.steady(0.1, from: 500, for: 400)).seconds == nil)
    #expect(Self.estimate(Self.steady(1, from: 90_000, for: 400)).seconds == nil)
  }

  @Test("a long stop ends the estimate, and going on brings it back")
  func stop() throws {
    let walk = Self.steady(1.5, from: 3_000, for: 300)
    let stop = Array(repeating: walk[299], count: 300)
    #expect(Self.estimate(walk + stop).seconds == nil)
    let on = Self.steady(1.5, from: walk[299], for: 400)
    let seconds = try #require(Self.estimate(walk + stop + on).seconds)
    #expect(abs(seconds - on[399] / 1.5) < 30)
  }

  @Test("jumps change little, the last position's included", arguments: [2_000.0, -400])
  func jumps(jump: Double) throws {
    var way = Self.steady(1.5, from: 3_000, for: 300)
    for second in [60, 160, 299] { way[second] += jump }
    let seconds = try #require(Self.estimate(way).seconds)
    #expect(abs(seconds - (3_000 - 1.5 * 299) / 1.5) < 200, "\(seconds)")
  }

  @Test("positions every five minutes are enough, and those of an hour ago are not")
  func sparse() {
    #expect(Self.estimate([9_000, 8_000, 7_000], every: 300).seconds == 2_100)
    #expect(Self.estimate([9_000, 8_000, 7_000], every: 1_000).seconds == nil)
  }

  @Test("the last metres take no less than no time")
  func there() { #expect(Self.estimate(Self.steady(2, from: 200, for: 120)).seconds == 0) }

  // MARK: On a journey

  @Test("[TR-9] the estimate is shown beside the promised time, which alone tells who is late")
  func promised() throws {
    var walk = Walk()
    try walk.depart(to: 5_000, within: .seconds(600))
    let promised = walk.now + .seconds(600)
    for second in 1...300 { walk.go(to: Double(second)) }
    // Much too late, but not late yet.
    let shown = try #require(walk.tracker.changes.last?.arrival)
    #expect(shown.promisedAt == promised)
    #expect(shown.estimatedAt == Walk.start + .seconds(5_000))
    #expect(walk.state == .routing && walk.news == [.journeyStarted])
    walk.wait(299)
    #expect(!walk.warnings.contains(.late))
    walk.wait(1)
    #expect(walk.warnings.contains(.late))
  }

  @Test("[TR-8] [TR-10] nothing is estimated of a user who is silent or stands still, nor after the end")
  func ends() throws {
    var walk = Walk()
    try walk.depart(to: 1_000)
    for second in 1...100 { walk.go(to: Double(second) * 2) }
    #expect(walk.tracker.estimatedAt != nil)
    walk.wait(60)
    #expect(walk.tracker.estimatedAt == nil)
    #expect(walk.tracker.changes.last?.arrival?.estimatedAt == nil)
    walk.go(to: 202)
    #expect(walk.tracker.estimatedAt != nil)
    for _ in 1...30 { walk.go(to: 203) }
    #expect(walk.warnings == .standingStill && walk.tracker.estimatedAt == nil)
    walk.go(to: 1_000, after: 400)
    #expect(walk.tracker.end != nil && walk.tracker.estimatedAt == nil && walk.tracker.progress.marks == [])
  }

  @Test("what a phone stored and reports late is no estimate of the present")
  func reportedLate() throws {
    var walk = Walk()
    try walk.depart(to: 5_000)
    let stored = (1...300).map { Walk.point(north: Double($0), at: Walk.start + .seconds($0)) }
    walk.now = Walk.start + .seconds(1_000)
    _ = walk.tracker.report(stored, at: walk.now)
    #expect(walk.tracker.progress.marks.count > 3 && walk.tracker.estimatedAt == nil)
  }
}
