import Geography
import Identifiers
import Testing

@testable import TrackingDomain

/// A user with one group on a journey, and time that passes.
struct Walk {
  static let start = Instant(microseconds: 1_768_478_400_000_000)
  static let home = GroupID(UUID7(high: 1, low: 1))
  static let user = UserID(UUID7(high: 2, low: 2))

  var tracker: Tracker
  var now = Self.start

  init(sharing state: MemberStatus = .unshared) {
    tracker = Tracker(Self.user, groups: [GroupStatus(Self.home, state, sharedSince: Self.start)])
  }

  static func point(north metres: Double, accuracy: Double? = nil, at time: Instant) -> ReportedPoint {
    ReportedPoint(latitude: metres / 111_195, longitude: 10, time: time, accuracy: accuracy)
  }

  static func metres(_ north: Double) -> GeoPoint {
    guard let point = GeoPoint(latitude: north / 111_195, longitude: 10) else { preconditionFailure("no such place") }
    return point
  }

  mutating func depart(to north: Double = 5_000, within: Duration = .seconds(3_600)) throws {
    let plan = JourneyPlan(to: Self.metres(north), arrivingAt: now + within)
    try tracker.start(OpenJourney(JourneyID(UUID7(high: 3, low: 3)), startedAt: now, plan: plan), seenBy: [Self.home])
  }

  /// Reports a position after some seconds.
  @discardableResult
  mutating func go(to north: Double, after seconds: Double = 1, accuracy: Double? = nil) -> ReportCounts {
    now = now + .seconds(seconds)
    return tracker.report([Self.point(north: north, accuracy: accuracy, at: now)], at: now)
  }

  /// Lets time pass without a report.
  mutating func wait(_ seconds: Double) {
    now = now + .seconds(seconds)
    tracker.passTime(to: now, servingSince: Self.start)
  }

  var state: MemberState { tracker.groups[0].status.state }
  var warnings: Warnings { tracker.groups[0].status.warnings }
  var news: [MemberNews] { tracker.news.map(\.news) }
}

@Suite("a user who reports positions")
struct TrackerTests {
  @Test(
    "[TR-1] B10: a report at a replica whose clock is 5 s behind that at which sharing began is seen; 11 s are no difference of clocks",
    arguments: [(5, true), (10, true), (11, false)])
  func replicasClocks(ahead: Int, isSeen: Bool) {
    var tracker = Tracker(
      Walk.user,
      groups: [
        GroupStatus(
          Walk.home, MemberStatus(.active, isShared: true), sharedSince: Walk.start + .seconds(Int64(ahead)))
      ])
    let counts = tracker.report([Walk.point(north: 10, at: Walk.start)], at: Walk.start)
    #expect(counts.accepted == 1)
    #expect((tracker.positionSeen(in: tracker.groups[0]) != nil) == isSeen)
  }

  @Test("[TR-2] each position that cannot be used is counted by its reason, and the others are taken")
  func counts() {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    let now = Walk.start
    func point(
      _ latitude: Double = 0, _ longitude: Double = 10, _ seconds: Double = 0, accuracy: Double? = nil,
      speed: Double? = nil
    ) -> ReportedPoint {
      ReportedPoint(
        latitude: latitude, longitude: longitude, time: now + .seconds(seconds), accuracy: accuracy, speed: speed)
    }
    let points = [
      point(), point(91), point(.nan), point(0, .infinity), point(0, 10, -86_401), point(0, 10, 61),
      ReportedPoint(latitude: 0, longitude: 10, time: nil), point(accuracy: 0), point(accuracy: -1),
      point(accuracy: 10_001), point(accuracy: .nan), point(speed: .infinity), point(speed: 7_900),
      point(0, 11, 1), point(0.00001, 10, 2), point(0.00001, 10, 2),
    ]
    let counts = walk.tracker.report(points, at: now)
    var expected = ReportCounts()
    (expected.accepted, expected.duplicate, expected.stale, expected.wrongTime) = (2, 1, 1, 2)
    (expected.wrongCoordinates, expected.wrongMeasurement, expected.tooFast, expected.groups) = (3, 5, 2, 1)
    #expect(counts == expected)
    #expect(walk.tracker.report([point(0, 10, 1)], at: now).outOfOrder == 1)
    // The phone is two seconds ahead.
    #expect(walk.tracker.position?.time == now)
  }

  @Test("[TR-2] a wrong position does not shut out the right ones that follow it")
  func recovery() {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    walk.go(to: 9_000_000)
    #expect(walk.go(to: 0).tooFast == 1)
    #expect(walk.go(to: 1).accepted == 1)
    #expect(walk.go(to: 2).accepted == 1)
  }

  @Test("[TR-2] a batch that arrives again is counted as duplicates, and changes nothing")
  func again() {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    func batch(from second: Int) -> [ReportedPoint] {
      (second..<second + 100).map { Walk.point(north: Double($0), at: Walk.start + .seconds($0)) }
    }
    walk.now = Walk.start + .seconds(1_000)
    for second in [0, 100, 200] {
      #expect(walk.tracker.report(batch(from: second), at: walk.now).accepted == 100)
    }
    // As from a phone that was offline: older than the current position.
    let between = [Walk.point(north: 50, at: Walk.start + .seconds(50.5))]
    #expect(walk.tracker.report(between, at: walk.now).outOfOrder == 1)
    let position = walk.tracker.position
    for (points, count) in [(batch(from: 0), 100), (batch(from: 200), 100), (between, 1)] {
      var expected = ReportCounts()
      (expected.duplicate, expected.groups) = (count, 1)
      #expect(walk.tracker.report(points, at: walk.now + .seconds(1)) == expected)
    }
    #expect(walk.tracker.position == position && walk.tracker.lateFixes.count == 1)
  }

  @Test(
    "[TR-2] in an alert a report that arrives again is a duplicate, however long after the first",
    arguments: [0, 5, 30])
  func againInAlert(seconds: Int) throws {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    try walk.tracker.startSOS(JourneyID(UUID7(high: 4, low: 5)), at: walk.now)
    let report = [Walk.point(north: 1, at: walk.now)]
    #expect(walk.tracker.report(report, at: walk.now + .seconds(1)).accepted == 1)
    let position = walk.tracker.position
    let again = walk.tracker.report(report, at: walk.now + .seconds(1 + seconds))
    #expect(again.duplicate == 1 && again.tooFast == 0 && walk.tracker.position == position)
  }

  @Test("[TR-2] [TR-5] in an alert a phone that stands still and knows no time is heard with each report")
  func stillWithoutTime() throws {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    try walk.tracker.startSOS(JourneyID(UUID7(high: 4, low: 6)), at: walk.now)
    let here = [ReportedPoint(latitude: 0.001, longitude: 10, time: nil)]
    for second in [1, 30, 60] {
      #expect(walk.tracker.report(here, at: walk.now + .seconds(second)).accepted == 1)
      #expect(walk.tracker.heardAt == walk.now + .seconds(second))
    }
  }

  @Test("[TR-2] [TR-5] what was too far away before an alert is taken when it is sent again in it")
  func refusedBeforeAlert() throws {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    walk.go(to: 0)
    let far = [Walk.point(north: 9_000_000, at: walk.now + .seconds(1))]
    #expect(walk.tracker.report(far, at: walk.now + .seconds(1)).tooFast == 1)
    try walk.tracker.startSOS(JourneyID(UUID7(high: 4, low: 7)), at: walk.now + .seconds(2))
    #expect(walk.tracker.report(far, at: walk.now + .seconds(3)).accepted == 1)
  }

  @Test("[TR-2] a report that arrives again is a duplicate though the user has come back to where it ended")
  func againAfterReturn() {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    walk.now = Walk.start + .seconds(300)
    let out = [
      Walk.point(north: 0, at: Walk.start + .seconds(100)), Walk.point(north: 50, at: Walk.start + .seconds(150)),
    ]
    #expect(walk.tracker.report(out, at: walk.now).accepted == 2)
    #expect(walk.tracker.report([Walk.point(north: 0, at: Walk.start + .seconds(299))], at: walk.now).accepted == 1)
    #expect(walk.tracker.report(out, at: walk.now).duplicate == 2)
  }

  @Test("[TR-2] a wrong position that is sent again is not believed by that")
  func wrongAgain() {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    walk.go(to: 0)
    let wrong = [Walk.point(north: 9_000_000, at: walk.now + .seconds(1))]
    walk.now = walk.now + .seconds(1)
    #expect(walk.tracker.report(wrong, at: walk.now).tooFast == 1)
    #expect(walk.tracker.report(wrong, at: walk.now).tooFast == 1)
    #expect(walk.tracker.position?.point == Walk.metres(0))
  }

  @Test("[TR-7] arrives within 10 m of the destination, on time")
  func arrives() throws {
    var walk = Walk()
    try walk.depart(to: 100)
    walk.go(to: 50, after: 10)
    #expect(walk.state == .routing)
    walk.go(to: 91, after: 10)
    #expect(walk.state == .active)
    #expect(walk.news == [.journeyStarted, .arrivedOnTime])
    #expect(walk.tracker.end?.outcome == .onTime)
    walk.go(to: 92)
    #expect(walk.news.count == 2)
  }

  @Test("[TR-7] an arrival after the promised time is late, never on time")
  func late() throws {
    var walk = Walk()
    try walk.depart(to: 100, within: .seconds(30))
    walk.go(to: 1, after: 10)
    walk.go(to: 100, after: 25)
    #expect(walk.news.last == .arrivedLate)
    #expect(walk.tracker.end?.outcome == .late)
  }

  @Test("[TR-7] an arrival that is reported late is judged by its own time")
  func reportedLate() throws {
    var walk = Walk()
    try walk.depart(to: 100, within: .seconds(60))
    let way = [Walk.point(north: 50, at: walk.now + .seconds(25)), Walk.point(north: 100, at: walk.now + .seconds(50))]
    walk.now = walk.now + .seconds(600)
    _ = walk.tracker.report(way, at: walk.now)
    #expect(walk.news.last == .arrivedOnTime)
  }

  @Test("[TR-7] a fix's accuracy widens the reach a little, and a bad fix proves nothing")
  func accuracy() throws {
    var walk = Walk()
    try walk.depart(to: 1_000)
    walk.go(to: 1_000, after: 60, accuracy: 500)
    #expect(walk.state == .routing)
    walk.go(to: 900, after: 1, accuracy: 25)
    walk.go(to: 970, after: 1, accuracy: 25)
    #expect(walk.state == .active)
  }

  @Test("[TR-8] 30 samples within 10 m of each other are a stop; it is told once, and again after moving on")
  func stands() throws {
    var walk = Walk()
    try walk.depart()
    for place in 0..<29 { walk.go(to: 100 + Double(place % 3)) }
    #expect(walk.state == .routing)
    walk.go(to: 101)
    #expect(walk.warnings == .standingStill)
    for _ in 0..<40 { walk.go(to: 102) }
    #expect(walk.news == [.journeyStarted, .standingStill])
    walk.go(to: 130, after: 20)
    #expect(walk.state == .routing)
    for _ in 0..<30 { walk.go(to: 131) }
    #expect(walk.news == [.journeyStarted, .standingStill, .standingStill])
  }

  @Test("[TR-8] a slow walk is no stop, though neighbouring samples are near each other")
  func slow() throws {
    var walk = Walk()
    try walk.depart()
    for step in 0..<200 { walk.go(to: Double(step) * 0.5) }
    #expect(walk.state == .routing)
  }

  @Test("[TR-8] ten minutes at a place are a stop without 30 samples, noticed without a further one")
  func standsLong() throws {
    var walk = Walk()
    try walk.depart()
    for _ in 0..<12 {
      walk.go(to: 100, after: 49)
      walk.wait(0)
    }
    #expect(walk.news == [.journeyStarted])
    walk.wait(600 - 11 * 49)
    #expect(walk.news.contains(.standingStill))
  }

  @Test("[TR-10] who ends a journey while offline, and reports no more, is INACTIVE after the silence")
  func silentEnd() throws {
    var walk = Walk()
    try walk.depart()
    walk.wait(60)
    #expect(walk.warnings == .offline)
    try walk.tracker.stopJourney(at: walk.now)
    #expect(walk.state == .active)
    walk.wait(60)
    #expect(walk.state == .inactive)
  }

  @Test("[TR-8] [TR-10] positions from before the journey, which arrive late, are no stop on it")
  func earlierPositions() throws {
    var walk = Walk()
    try walk.depart()
    let stored = (1...40).map { Walk.point(north: 0, at: walk.now - .seconds(100 - $0)) }
    _ = walk.tracker.report(stored, at: walk.now)
    #expect(walk.news == [.journeyStarted])
  }

  @Test("[TR-9] the promised time passes without a position, once, and the warning stays")
  func promised() throws {
    var walk = Walk()
    try walk.depart(within: .seconds(50))
    walk.wait(49)
    #expect(walk.state == .routing)
    walk.wait(1)
    #expect(walk.warnings == .late)
    walk.go(to: 10)
    walk.wait(5)
    #expect(walk.warnings == .late)
    #expect(walk.news == [.journeyStarted, .notArrived])
  }

  @Test("[TR-10] silence of 60 s warns once; a position ends it, and the next silence warns again")
  func silence() throws {
    var walk = Walk()
    try walk.depart()
    walk.go(to: 1)
    walk.wait(59)
    #expect(walk.state == .routing)
    walk.wait(1)
    #expect(walk.warnings == .offline)
    walk.wait(600)
    walk.go(to: 50)
    #expect(walk.state == .routing)
    walk.wait(60)
    #expect(walk.news == [.journeyStarted, .wentOffline, .wentOffline])
  }

  @Test("[TR-10] in SOS silence is told and the state stays; the path has what comes later from before")
  func silenceInSOS() throws {
    var walk = Walk()
    try walk.tracker.startSOS(JourneyID(UUID7(high: 4, low: 4)), at: walk.now)
    walk.wait(60)
    #expect(walk.state == .sos)
    #expect(walk.news == [.sosStarted, .wentOfflineInSOS])
    let late = (1...50).map { Walk.point(north: Double($0), at: Walk.start + .seconds($0)) }
    #expect(walk.tracker.report(late, at: walk.now).accepted == 50)
    #expect(walk.tracker.pathPoints.count == 50)
  }

  @Test("[TR-10] an active member falls silent quietly, and is active with the next position")
  func quiet() {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    walk.go(to: 1)
    walk.wait(60)
    #expect(walk.state == .inactive)
    walk.go(to: 2)
    #expect(walk.state == .active)
    #expect(walk.news == [])
  }

  @Test("[TR-10] time in which the service was down is no silence")
  func down() throws {
    var walk = Walk()
    try walk.depart()
    walk.now = walk.now + .seconds(1_000)
    walk.tracker.passTime(to: walk.now, servingSince: walk.now - .seconds(59))
    #expect(walk.state == .routing)
    walk.tracker.passTime(to: walk.now + .seconds(1), servingSince: walk.now - .seconds(59))
    #expect(walk.warnings == .offline)
  }

  @Test("[TR-6] [TR-7] a journey across the antimeridian arrives by the short way")
  func antimeridian() throws {
    var tracker = Tracker(Walk.user, groups: [GroupStatus(Walk.home, .unshared)])
    let destination = try #require(GeoPoint(latitude: -17, longitude: -179.99))
    try tracker.start(
      OpenJourney(
        JourneyID(UUID7(high: 3, low: 3)), startedAt: Walk.start,
        plan: JourneyPlan(to: destination, arrivingAt: Walk.start + .seconds(3_600))), seenBy: [Walk.home])
    let way = [179.98, 179.99, -180, -179.99].enumerated().map { place, longitude in
      ReportedPoint(latitude: -17, longitude: longitude, time: Walk.start + .seconds(place * 60))
    }
    let counts = tracker.report(way, at: Walk.start + .seconds(200))
    #expect(counts.accepted == 4)
    #expect(tracker.news.last?.news == .arrivedOnTime)
  }

  @Test("[TR-5] [TR-6] no journey begins in SOS or on a journey, and an alert ends the journey")
  func exclusion() throws {
    var walk = Walk()
    try walk.depart()
    #expect(throws: MemberRefusal.onAJourney) { try walk.depart() }
    try walk.tracker.startSOS(JourneyID(UUID7(high: 4, low: 4)), at: walk.now)
    #expect(walk.tracker.end?.outcome == .sos)
    #expect(throws: MemberRefusal.inSOS) { try walk.depart() }
    #expect(throws: MemberRefusal.inSOS) { try walk.tracker.stopSharing(with: [Walk.home], at: walk.now) }
    try walk.tracker.stopSOS(at: walk.now)
    #expect(walk.state == .active)
  }
}
