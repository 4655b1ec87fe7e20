import Geography
import Identifiers
import Testing
import TrackingDomain

@Suite("positions that are reported to some groups, by the rules")
struct NamedGroupsDomainTests {
  private static let club = GroupID(UUID7(high: 1, low: 2))

  /// A user who shares with two groups.
  private static func walk(_ places: [Geofence] = []) -> Walk {
    var walk = Walk()
    walk.tracker = Tracker(
      Walk.user,
      groups: [Walk.home, club].map {
        GroupStatus($0, MemberStatus(.active, isShared: true), sharedSince: Walk.start)
      }, places: places)
    return walk
  }

  private static func report(
    _ walk: inout Walk, _ north: Double, to groups: Set<GroupID>?, after seconds: Double = 10
  ) -> ReportCounts {
    walk.now = walk.now + .seconds(seconds)
    return walk.tracker.report([Walk.point(north: north, accuracy: 5, at: walk.now)], to: groups, at: walk.now)
  }

  @Test("[TR-2] 31 item 7: of reports that are stored together each group sees the last one that is for it")
  func together() {
    var walk = Self.walk()
    #expect(Self.report(&walk, 1, to: nil).groups == 2)
    #expect(Self.report(&walk, 2, to: [Walk.home]).groups == 1)
    let seen = Dictionary(uniqueKeysWithValues: walk.tracker.changes.map { ($0.groupID, $0.position?.point) })
    #expect(seen == [Walk.home: Walk.metres(2), Self.club: Walk.metres(1)])
    #expect(walk.tracker.groups.map(\.keptPosition?.point) == [nil, Walk.metres(1)])
    #expect(walk.tracker.groups[1].withheldSince == Walk.start + .seconds(10), "when it was last reported to")
    #expect(Self.report(&walk, 3, to: nil).groups == 2)
    #expect(walk.tracker.groups.map(\.withheldSince) == [nil, nil])
  }

  @Test("[TR-2] 32 item 1: a report names groups that its user shares with, or any in an alert")
  func refusals() throws {
    let unknown = GroupID(UUID7(high: 9, low: 9))
    var walk = Self.walk()
    try walk.tracker.stopSharing(with: [Self.club], at: walk.now)
    func refusal(_ groups: Set<GroupID>?) -> ReportedGroupsRefusal? { walk.tracker.refusal(of: Report([], to: groups)) }
    #expect(refusal(nil) == nil)
    #expect(refusal([Walk.home]) == nil)
    #expect(refusal([Walk.home, Self.club]) == .notShared([Self.club]))
    #expect(refusal([Walk.home, Self.club, unknown]) == .noSuchGroups([unknown]))
    try walk.tracker.startSOS(JourneyID(UUID7(high: 3, low: 3)), at: walk.now)
    #expect(refusal([unknown]) == nil)
  }

  @Test("[TR-10] 31 item 7: a group that is not reported to for a minute sees INACTIVE, and a journey no silence")
  func silence() throws {
    var walk = Self.walk()
    _ = Self.report(&walk, 1, to: nil)
    for step in 1...6 { _ = Self.report(&walk, 1 + Double(step) * 20, to: [Walk.home]) }
    walk.tracker.passTime(to: walk.now, servingSince: Walk.start)
    #expect(walk.tracker.groups.map(\.status.state) == [.active, .inactive])
    _ = Self.report(&walk, 200, to: [Self.club])
    #expect(walk.tracker.groups.map(\.status.state) == [.active, .active])
    let plan = JourneyPlan(to: Walk.metres(5_000), arrivingAt: walk.now + .seconds(3_600))
    try walk.tracker.start(
      OpenJourney(JourneyID(UUID7(high: 3, low: 3)), startedAt: walk.now, plan: plan), seenBy: [Walk.home, Self.club])
    for step in 1...12 { _ = Self.report(&walk, 200 + Double(step) * 20, to: [Walk.home]) }
    walk.tracker.passTime(to: walk.now, servingSince: Walk.start)
    #expect(walk.tracker.groups.map(\.status.state) == [.routing, .routing])
    #expect(walk.tracker.pathPoints.map(\.groupIDs) == Array(repeating: [Walk.home], count: 12))
    walk.wait(61)
    #expect(walk.tracker.groups.map(\.status.warnings) == [.offline, .offline])
  }

  @Test("[TR-15] 31 item 7: groups that see different positions know different things of a place, each by its own")
  func places() {
    let home = Geofence(
      PlaceID(UUID7(high: 4, low: 4)), named: "Home", around: Walk.metres(0), within: Metres(100), since: Walk.start,
      told: [Walk.home, Self.club])
    var walk = Self.walk([home])
    _ = Self.report(&walk, 500, to: nil)
    _ = Self.report(&walk, 0, to: [Walk.home])
    let first = walk.now
    #expect(walk.tracker.places[0].presence == .inside)
    #expect(walk.tracker.places[0].otherPresences == [Self.club: .outside])
    // Away and back between, for the first group alone.
    for north in [500, 500, 0] as [Double] { _ = Self.report(&walk, north, to: [Walk.home], after: 30) }
    let third = walk.now
    _ = Self.report(&walk, 0, to: nil)
    #expect(walk.tracker.places[0].otherPresences == [:])
    #expect(
      walk.tracker.placeNews.map(\.event) == [
        Geofence.Event(.arrival, at: first), Geofence.Event(.departure, at: first + .seconds(30)),
        Geofence.Event(.arrival, at: third), Geofence.Event(.arrival, at: walk.now),
      ])
    #expect(walk.tracker.placeNews.map(\.groupIDs) == [[Walk.home], [Walk.home], [Walk.home], [Self.club]])
    #expect(walk.tracker.placeNews.map(\.otherGroupIDs) == [[], [], [], [Walk.home]], "they know it already")
  }
}
