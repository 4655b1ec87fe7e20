import Geography
import Identifiers
import SeededNumbers
import Testing

@testable import TrackingDomain

@Suite("places that users name")
struct GeofenceTests {
  private static let time = Walk.start + .seconds(1_000)
  private static let id = PlaceID(UUID7(high: 9, low: 9))

  /// 100 m around the place from which ``Walk`` counts its metres.
  private static func home(
    _ presence: Presence = .unknown, radius: Double = 100, since: Instant = Walk.start, told: [GroupID] = [Walk.home]
  ) -> Geofence {
    Geofence(
      id, named: "Home", around: Walk.metres(0), within: Metres(radius), since: since, told: told, presence: presence)
  }

  // MARK: One position

  /// A position by the metres from the middle and its accuracy. The radius is 100 m, so a user has left beyond 120 m.
  private static let sights: [(name: String, distance: Double, accuracy: Double?)] = [
    ("inside", 50, 10), ("nearly", 95, 10), ("edge", 105, 4), ("margin", 119, 4), ("beyond", 125, 4),
    ("vagueOut", 125, 10), ("vagueIn", 50, 101), ("unknownIn", 79, nil), ("unknownOut", 139, nil), ("far", 5_000, 10),
  ]

  /// What becomes of a presence by a position: `>` with an arrival, `<` with a departure, `=` where nothing changes. `new` is leaving
  /// for less than 10 s, `leaving` for as long.
  private static let table = """
              inside   nearly  edge    margin  beyond  vagueOut vagueIn unknownIn unknownOut far
    unknown   inside   inside  outside outside outside outside  =       inside    outside    outside
    outside   >inside  =       =       =       =       =        =       >inside   =          =
    inside    =        =       =       =       leaves  =        =       =         =          leaves
    new       inside   inside  inside  inside  =       =        inside  inside    =          =
    leaving   inside   inside  inside  inside  <outside =       inside  inside    =          <outside
    """

  @Test("every presence changes by every kind of position as the table says")
  func table() {
    let lines = Self.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let presences: [(name: String, presence: Presence)] = [
      ("unknown", .unknown), ("outside", .outside), ("inside", .inside),
      ("new", .leaving(since: Self.time - .seconds(9))), ("leaving", .leaving(since: Self.time - .seconds(10))),
    ]
    #expect(lines[0] == Self.sights.map(\.name))
    #expect(lines.dropFirst().map { $0[0] } == presences.map(\.name))
    for ((name, presence), line) in zip(presences, lines.dropFirst()) {
      for (sight, cell) in zip(Self.sights, line.dropFirst()) {
        #expect(Self.outcome(of: sight, presence) == cell, "\(sight.name) when \(name)")
      }
    }
  }

  private static func outcome(of sight: (name: String, distance: Double, accuracy: Double?), _ presence: Presence)
    -> String
  {
    let fix = Fix(Walk.metres(sight.distance), at: time, accuracy: sight.accuracy)
    let (after, event) = home(presence).presence(after: fix)
    if after == presence { return "=" }
    let sign = event.map { $0.kind == .arrival ? ">" : "<" } ?? ""
    return switch after {
    case .leaving(let since): since == time ? "leaves" : "leaving"
    default: "\(sign)\(after)"
    }
  }

  @Test("a departure is of the time of the first position outside, an arrival of that of the position inside")
  func times() {
    let first = Self.time - .seconds(40)
    let departure = Self.home(.leaving(since: first)).presence(after: Fix(Walk.metres(500), at: Self.time)).event
    #expect(departure == Geofence.Event(.departure, at: first))
    let arrival = Self.home(.outside).presence(after: Fix(Walk.metres(0), at: Self.time)).event
    #expect(arrival == Geofence.Event(.arrival, at: Self.time))
  }

  @Test("a position from before the place was there decides nothing")
  func before() {
    let home = Self.home(.outside, since: Self.time)
    #expect(home.presence(after: Fix(Walk.metres(0), at: Self.time - .seconds(1))).presence == .outside)
    #expect(home.presence(after: Fix(Walk.metres(0), at: Self.time)).presence == .inside)
  }

  @Test("a place across the antimeridian, or around a pole, is one place")
  func edgesOfMaps() throws {
    for (centre, inside, outside) in [
      ((-17.0, 179.9999), (-17.0, -179.9999), (-17.0, -179.99)), ((90.0, 0.0), (89.9999, 137.0), (89.9, -20.0)),
      ((-89.9999, 10.0), (-89.9999, -170.0), (-89.99, 10.0)),
    ] {
      let point = try #require(GeoPoint(latitude: centre.0, longitude: centre.1))
      let place = Geofence(
        Self.id, named: "Edge", around: point, within: Metres(100), since: Walk.start, presence: .outside)
      for (to, arrives) in [(inside, true), (outside, false)] {
        let there = try #require(GeoPoint(latitude: to.0, longitude: to.1))
        let event = place.presence(after: Fix(there, at: Self.time, accuracy: 5)).event
        #expect((event?.kind == .arrival) == arrives, "\(centre) \(to)")
      }
    }
  }

  // MARK: Many positions

  /// Errors of a receiver that drifts: each depends on the one before, as in real tracks.
  private struct Drift {
    /// Metres; 68 % of the positions are within 15 m then.
    static let deviation = 10.0
    private static let memory = 0.9
    private var numbers: SplitMix
    private(set) var error = 0.0

    init(seed: UInt64) { numbers = SplitMix(seed: seed) }

    mutating func next() -> Double {
      // Twelve evenly distributed numbers make a normal one.
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &numbers) }
      error = Self.memory * error + (1 - Self.memory * Self.memory).squareRoot() * Self.deviation * normal
      return error
    }
  }

  @Test(
    "an hour at the edge, with errors that drift and single positions that are wrong, is one arrival and one departure",
    arguments: [20.0, 60, 90, 100], 1...10 as ClosedRange<UInt64>)
  func noise(stay: Double, seed: UInt64) throws {
    var drift = Drift(seed: seed)
    var home = Self.home()
    var events: [Geofence.Event.Kind] = []
    // A walk there from 600 m, an hour at the edge, and away again.
    let way = stride(from: 600.0, to: stay, by: -1.5)
    let path = Array(way) + Array(repeating: stay, count: 3_600) + way.reversed()
    for (second, metres) in path.enumerated() {
      let isWrong = second % 700 < 3
      let fix = Fix(
        Walk.metres(metres + drift.next() + (isWrong ? 150 : 0)), at: Walk.start + .seconds(second), accuracy: 15)
      let (presence, event) = home.presence(after: fix)
      home.presence = presence
      if let event { events.append(event.kind) }
    }
    #expect(events == [.arrival, .departure])
  }

  // MARK: Groups

  private static let work = GroupID(UUID7(high: 1, low: 2))

  /// A user who shares with one of two groups, both of which are told of home.
  private static func walk(_ presence: Presence = .unknown, told: [GroupID] = [Walk.home, work]) -> Walk {
    var walk = Walk()
    walk.tracker = Tracker(
      Walk.user,
      groups: [
        GroupStatus(Walk.home, MemberStatus(.active, isShared: true), sharedSince: Walk.start),
        GroupStatus(work, .unshared),
      ], places: [home(presence, told: told)])
    return walk
  }

  @Test("an arrival is told to the place's groups that the user shares with, and to no others")
  func groups() {
    var walk = Self.walk()
    walk.go(to: 500)
    walk.go(to: 0, after: 300)
    #expect(walk.tracker.placeNews.map(\.groupIDs) == [[Walk.home]])
    #expect(walk.tracker.changes.map(\.kind) == [.position, .placeReached])
    #expect(walk.tracker.changes.last?.visit == PlaceVisit(name: "Home", at: walk.now))
    #expect(walk.tracker.changes.last?.position == nil)
    var other = Self.walk(told: [Self.work])
    other.go(to: 500)
    other.go(to: 0, after: 300)
    #expect(other.tracker.placeNews == [] && other.tracker.places[0].presence == .inside)
  }

  @Test("to be there when sharing begins is no arrival, and what happened before it is not told afterwards")
  func sharing() throws {
    var walk = Self.walk()
    walk.go(to: 0)
    try walk.tracker.stopSharing(with: [Walk.home], at: walk.now)
    walk.go(to: 5_000, after: 600)
    #expect(walk.tracker.places[0].presence == .inside)
    try walk.tracker.startSharing(with: [Walk.home], at: walk.now)
    walk.go(to: 5_010, after: 20)
    walk.go(to: 5_020, after: 20)
    #expect(walk.tracker.places[0].presence == .outside)
    #expect(walk.tracker.placeNews == [])
  }

  @Test("an arrival from before the group was shared with, which is reported late, is not told to it")
  func late() {
    var walk = Self.walk(.outside)
    walk.tracker.groups[0] = GroupStatus(
      Walk.home, MemberStatus(.active, isShared: true), sharedSince: Walk.start + .seconds(100))
    walk.now = Walk.start + .seconds(200)
    _ = walk.tracker.report([Walk.point(north: 0, at: Walk.start + .seconds(50))], at: walk.now)
    #expect(walk.tracker.places[0].presence == .inside && walk.tracker.placeNews == [])
  }

  @Test("what a phone stored is judged by its own times; the same again, and what is older, tells nothing more")
  func backlog() {
    var walk = Self.walk()
    // There after 100 s, away again after 200 s.
    let stored = (0..<300).map { second in
      Walk.point(north: (100..<200).contains(second) ? 0 : 300, accuracy: 5, at: Walk.start + .seconds(second))
    }
    walk.now = Walk.start + .seconds(4_000)
    _ = walk.tracker.report(stored.shuffled(), at: walk.now)
    let told = [
      Geofence.Event(.arrival, at: Walk.start + .seconds(100)),
      Geofence.Event(.departure, at: Walk.start + .seconds(200)),
    ]
    #expect(walk.tracker.placeNews.map(\.event) == told)
    _ = walk.tracker.report(stored, at: walk.now)
    _ = walk.tracker.report([Walk.point(north: 0, accuracy: 5, at: Walk.start + .seconds(250.5))], at: walk.now)
    #expect(walk.tracker.placeNews.map(\.event) == told)
  }
}
