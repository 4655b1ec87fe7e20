import Identifiers
import Testing

@testable import TrackingDomain

@Suite("positions that are kept on paths")
struct PathDaysTests {
  private static let noon = Instant(microseconds: 1_768_478_400_000_000)
  private static let day = Duration.seconds(86_400)

  @Test("[TR-2] A6: each day in UTC has a quota of its own, of three days in a row")
  func days() {
    var days = PathDays([PathDays.Day(20_468, count: PathDays.maxOfDay - 1)])
    #expect(days.count(at: Self.noon) == PathDays.maxOfDay - 1)
    let midnight = Self.noon + .seconds(43_200)
    #expect(days.add(at: midnight - .microseconds(1)) && !days.add(at: Self.noon) && days.add(at: midnight))
    #expect(days.add(at: Self.noon - Self.day) && !days.add(at: Self.noon - .seconds(43_200)))
    #expect(days.days.map(\.count) == [PathDays.maxOfDay, 1, 1])
    // The oldest day makes room: nothing of it can be reported any more.
    #expect(days.add(at: Self.noon + Self.day + Self.day) && days.days.count == 3)
    #expect(days.count(at: Self.noon - Self.day) == 0 && days.count(at: Self.noon) == PathDays.maxOfDay)
  }

  @Test("[TR-2] [TR-7] A6: positions beyond the quota move the user, and the journey arrives, without being kept")
  func beyond() throws {
    var walk = Walk()
    try walk.depart(to: 100)
    walk.tracker.pathDays = PathDays([PathDays.Day(20_468, count: PathDays.maxOfDay - 1)])
    let first = walk.go(to: 0)
    #expect(first.accepted == 1 && first.notKept == 0)
    let second = walk.go(to: 50, after: 60)
    #expect(second.accepted == 1 && second.notKept == 1 && walk.tracker.position?.point == Walk.metres(50))
    // What a phone stored, too.
    let late = [Walk.point(north: 20, at: walk.now - .seconds(30))]
    let stored = walk.tracker.report(late, at: walk.now)
    #expect(stored.outOfOrder == 1 && stored.notKept == 1)
    walk.go(to: 100, after: 60)
    #expect(walk.tracker.journey == nil && walk.tracker.pathPoints.count == 1 && walk.tracker.lateFixes.isEmpty)
  }
}
