import Identifiers
import Testing
import TrackingDomain

@Suite("clocks of phones")
struct PhoneClockTests {
  private static let start = Instant(microseconds: 1_768_478_400_000_000)

  /// The times used of reports of one position each, in seconds before their arrivals; `nil` where a position is in the future.
  ///
  /// - Parameter reports: when each arrives, in seconds, and by how much the phone's clock differs then.
  private static func ages(_ reports: [(at: Double, error: Double)], inAlert: Bool = false) -> [Double?] {
    var clock = PhoneClock()
    return reports.map { report in
      let now = start + .seconds(report.at)
      let claimed = now + .seconds(report.error)
      let times = clock.read(claimed, of: 1, at: now, alertSince: inAlert ? start : nil)
      return times.time(of: claimed).map { ((now - $0) / .seconds(1)).rounded() }
    }
  }

  private static func every(_ seconds: Double, _ errors: [Double]) -> [(at: Double, error: Double)] {
    errors.enumerated().map { (Double($0.offset + 1) * seconds, $0.element) }
  }

  @Test("[TR-2] T-3: a clock that is right, or a little off, changes nothing")
  func right() {
    #expect(Self.ages(Self.every(2, [0, -1, -3, 0, -9])) == [0, 1, 3, 0, 9])
    // A little ahead: never later than the arrival, and as constant as the phone's clock.
    #expect(Self.ages(Self.every(2, [2, 1, 2, 2])) == [0, 1, 0, 0])
  }

  @Test("[TR-2] T-3: a clock that is ahead is known by the second report, in an alert by the first")
  func ahead() {
    let reports = Self.every(2, [90, 90, 90, 90])
    #expect(Self.ages(reports) == [nil, 0, 0, 0])
    #expect(Self.ages(reports, inAlert: true) == [0, 0, 0, 0])
    #expect(Self.ages(Self.every(2, [58, 0, 0])) == [0, 0, 0])
    #expect(Self.ages(Self.every(2, [90, 90, 0, 0])) == [nil, 0, 0, 0], "it is put right")
  }

  @Test("[TR-2] T-3: a clock that is behind is known by the second report, in an alert by the first")
  func behind() {
    for error in [-30.0, -45, -1_200, -172_800] {
      let reports = Self.every(2, [error, error, error])
      #expect(Self.ages(reports) == [-error, 0, 0])
      #expect(Self.ages(reports, inAlert: true) == [0, 0, 0])
    }
  }

  @Test("[TR-2] T-3: a clock that steps is known again by the second report")
  func steps() {
    #expect(Self.ages(Self.every(2, [0, -3_600, -3_600, -3_600])) == [0, 3_600, 0, 0])
    #expect(Self.ages(Self.every(2, [0, -3_600, -3_600, -3_600]), inAlert: true) == [0, 0, 0, 0])
    #expect(Self.ages(Self.every(2, [0, 3_600, 3_600, 0, 0])) == [0, nil, 0, 0, 0])
    #expect(Self.ages(Self.every(2, [90, 90, -3_600, -3_600])) == [nil, 0, 3_690, 0])
  }

  @Test("[TR-2] T-3: a clock that drifts is followed")
  func drifts() {
    for drift in [-0.5, 0.2] {
      let ages = Self.ages(Self.every(2, (0..<400).map { Double($0) * drift }))
      #expect(ages.allSatisfy { $0.map { (0...12).contains($0) } ?? false }, "by \(drift)")
    }
  }

  @Test("[TR-2] what a phone stored is not taken for a clock that is behind, whether it comes slowly, fast or late")
  func stored() {
    // 30 s apart when it was stored, sent ten times a second.
    var fast: [(at: Double, error: Double)] = []
    for number in 0..<40 {
      let count = Double(number)
      fast.append((at: 1 + count / 10, error: -1_800 + count * 29.9))
    }
    for (age, report) in zip(Self.ages(fast), fast) { #expect(abs((age ?? 0) + report.error) <= 1) }
    let late: [(at: Double, error: Double)] = [(1, 0), (301, -200), (303, 0)]
    #expect(Self.ages(late) == [0, 200, 0])
  }

  @Test("[TR-2] one position with an impossible time says nothing about the others of its report")
  func impossible() {
    var walk = Walk(sharing: MemberStatus(.active, isShared: true))
    let points = [
      Walk.point(north: 0, at: walk.now), Walk.point(north: 1, at: walk.now + .seconds(86_400 * 365)),
    ]
    let counts = walk.tracker.report(points, at: walk.now)
    #expect(counts.accepted == 1 && counts.wrongTime == 1 && walk.tracker.position?.time == walk.now)
    walk.go(to: 2)
    #expect(walk.tracker.position?.time == walk.now)
  }
}
