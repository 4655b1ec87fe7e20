import Identifiers
import MatchingDomain
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("browsing sessions")
struct BrowseTests {
  @Test("[MA-3] without any filter the list is empty")
  func noFilter() async throws {
    try await RunningMatching.with { matching in
      try await matching.post()
      #expect(try await matching.browse(BrowseSessionsRequest()).isEmpty)
      #expect(try await matching.browse(BrowseSessionsRequest(), as: .one(77)).isEmpty)
    }
  }

  @Test("[MA-3] each filter admits what fits it and nothing else")
  func filters() async throws {
    try await RunningMatching.with { matching in
      let here = try await matching.post(RunningMatching.request(in: 120))
      let there = try await matching.post(
        RunningMatching.request(in: 300, at: .quito, focus: .yoga, level: .advanced), as: .kim)
      func found(_ request: BrowseSessionsRequest) async throws -> [String?] {
        try await matching.browse(request).map(\.session?.sessionID)
      }
      func time(_ minutes: Int) -> Instant { RunningMatching.start + .seconds(minutes * 60) }
      #expect(try await found(.init(gymID: TestGym.quito.id.description)) == [there.sessionID])
      #expect(try await found(.init(focuses: [.strength])) == [here.sessionID])
      #expect(try await found(.init(genders: [.other])) == [there.sessionID])
      #expect(try await found(.init(levels: [.expert])) == [here.sessionID])
      #expect(try await found(.init(point: TestGym.raffles.wire, radiusM: 5_000)) == [here.sessionID])
      #expect(try await found(.init(point: TestGym.raffles.wire, radiusM: 3e7)).count == 2)
      #expect(try await found(.init(startTime: time(200).timestamp)) == [there.sessionID])
      #expect(try await found(.init(endTime: time(121).timestamp)) == [here.sessionID])
      #expect(try await found(.init(endTime: time(120).timestamp)).isEmpty, "half open")
      #expect(try await found(.init(startTime: time(180).timestamp, endTime: time(300).timestamp)).isEmpty)
      #expect(
        try await found(
          .init(gymID: TestGym.quito.id.description, focuses: [.yoga], genders: [.other], levels: [.advanced]))
          == [there.sessionID])
      #expect(
        try await found(
          .init(
            startTime: time(130).timestamp, endTime: time(140).timestamp, point: TestGym.raffles.wire, radiusM: 10,
            focuses: [.strength])) == [here.sessionID])
    }
  }

  @Test("[MA-3] the radius is exact", arguments: [(1_000.0, 1_001.0, true), (1_000.0, 999.0, false)])
  func radius(metres: Double, radius: Double, isInside: Bool) async throws {
    try await RunningMatching.with { matching in
      try await matching.post()
      let found = try await matching.browse(
        BrowseSessionsRequest(point: TestGym.raffles.north(metres), radiusM: radius))
      #expect(found.count == (isInside ? 1 : 0))
      if isInside { #expect(abs((found.first?.distanceM ?? 0) - metres) < 0.01) }
    }
  }

  @Test("[MA-3] a radius works across the antimeridian and at a pole")
  func edges() async throws {
    try await RunningMatching.with { matching in
      let (fiji, pole) = (TestGym(7, -16.5, 179.999), TestGym(8, -90, 0))
      for gym in [fiji, pole] { matching.open(gym) }
      try await matching.post(RunningMatching.request(at: fiji))
      try await matching.post(RunningMatching.request(in: 300, at: pole))
      let west = try await matching.browse(
        BrowseSessionsRequest(point: .init(latitude: -16.5, longitude: -179.999), radiusM: 300))
      #expect(west.count == 1)
      let polar = try await matching.browse(
        BrowseSessionsRequest(point: .init(latitude: -90, longitude: 120), radiusM: 1))
      #expect(polar.count == 1)
    }
  }

  @Test("[MA-3] only unmatched future sessions of others whose preference admits the viewer are found")
  func visible() async throws {
    try await RunningMatching.with { matching in
      try await matching.post(as: .grace)
      try await matching.match(RunningMatching.request(in: 300))
      try await matching.post(RunningMatching.request(in: 500, genders: [.male, .other]))
      let started = try await matching.post(RunningMatching.request(in: 1), as: .kim)
      try await matching.advance(to: .seconds(60))
      #expect(try await matching.browse(BrowseSessionsRequest(levels: [.expert])).isEmpty)
      let kims = try await matching.browse(BrowseSessionsRequest(levels: [.expert]), as: .kim)
      #expect(kims.count == 2 && !kims.map(\.session?.sessionID).contains(started.sessionID))
    }
  }

  @Test("[MA-3] viewers below ADVANCED see sessions of an experienced level only, experienced ones see all")
  func levelGate() async throws {
    try await RunningMatching.with { matching in
      for (place, level) in [TandemMatching.Level.novice, .beginner, .intermediate, .advanced, .expert].enumerated() {
        try await matching.post(RunningMatching.request(in: 120 + 60 * place, level: level))
      }
      let kims = try await matching.browse(BrowseSessionsRequest(focuses: [.strength]), as: .kim)
      #expect(Set(kims.compactMap(\.session?.level)) == [.advanced, .expert])
      #expect(try await matching.browse(BrowseSessionsRequest(levels: [.novice]), as: .kim).isEmpty)
      #expect(try await matching.browse(BrowseSessionsRequest(focuses: [.strength])).count == 5)
    }
  }

  @Test("[MA-4] results are ordered by fit, and the score is the weighted mean of its parts")
  func order() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce((1...3).map { .one($0) })
      let far = try await matching.post(RunningMatching.request(at: .tanjong), as: .one(1))
      let near = try await matching.post(RunningMatching.request(), as: .one(2))
      let late = try await matching.post(RunningMatching.request(in: 150), as: .one(3))
      let found = try await matching.browse(
        BrowseSessionsRequest(
          startTime: near.startTime, endTime: near.endTime, point: TestGym.raffles.wire, radiusM: 10_000,
          focuses: [.strength]))
      #expect(found.map(\.session?.sessionID) == [near, far, late].map(\.sessionID))
      for match in found {
        let fit = try #require(match.fit)
        let score =
          0.3 * fit.slot + 0.25 * fit.distance + 0.15 * fit.focus + 0.1 * (fit.level + fit.rating + fit.attendance)
        #expect(abs(fit.score - score) < 1e-9)
      }
      #expect(found.first?.fit?.slot == 1 && found.first?.fit?.distance == 1 && found.last?.fit?.slot == 0.5)
    }
  }

  @Test("[MA-3] a session that began up to eight hours before a slot and reaches into it is found")
  func longSession() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post(RunningMatching.request(in: 120, lasting: 480))
      let end = try #require(session.endTime.map { try Instant(wire: $0) })
      for (since, isFound) in [(end - .microseconds(1), true), (end, false)] {
        let slot = BrowseSessionsRequest(startTime: since.timestamp, endTime: (end + .seconds(3_600)).timestamp)
        #expect(try await matching.browse(slot).count == (isFound ? 1 : 0))
      }
    }
  }

  @Test(
    "[C-2] points that are none and radii that are none are refused, of searches and of the map",
    arguments: [
      (TandemMatching.Point(latitude: .nan, longitude: 0), 1_000.0, "POINT_INVALID"),
      (.init(latitude: 0, longitude: .infinity), 1_000, "POINT_INVALID"),
      (.init(latitude: -90.000_001, longitude: 0), 1_000, "POINT_INVALID"),
      (.init(latitude: 90, longitude: 0), .nan, "RADIUS_INVALID"),
      (.init(latitude: 90, longitude: 0), -.infinity, "RADIUS_INVALID"),
      (.init(latitude: -90, longitude: 180), -1, "RADIUS_INVALID"),
    ])
  func badPlaces(point: TandemMatching.Point, radius: Double, reason: String) async throws {
    try await RunningMatching.with { matching in
      let browsed = try await refusal {
        try await matching.browse(BrowseSessionsRequest(point: point, radiusM: radius))
      }
      let saved = try await refusal { try await matching.save(SearchFilter(point: point, radiusM: radius)) }
      let found = try await refusal { try await matching.find(near: point.latitude, point.longitude, radius: radius) }
      #expect([browsed, saved, found].map(\.fieldReasons) == Array(repeating: [reason], count: 3))
      #expect([browsed, saved, found].allSatisfy { $0.code == .invalidArgument })
    }
  }

  @Test("[MA-3] what a filter names twice counts once")
  func repeatedValues() async throws {
    try await RunningMatching.with { matching in
      try await matching.post()
      let many = Array(repeating: TandemMatching.Focus.strength, count: 1_000)
      #expect(try await matching.browse(BrowseSessionsRequest(focuses: many)).count == 1)
      let saved = try await matching.save(SearchFilter(focuses: many, levels: [.expert, .expert]))
      #expect(saved.filter == SearchFilter(focuses: [.strength], levels: [.expert]))
      try await matching.list(.ada, 1.3, 103.8)
      #expect(try await matching.find(near: 1.3, 103.8) { $0.focuses = many }.count == 1)
    }
  }

  @Test("[C-5] pages follow each other without a session twice or left out while others post")
  func pages() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce((0..<8).map { .one($0) })
      for number in 0..<7 { try await matching.post(RunningMatching.request(in: 100 + number), as: .one(number)) }
      var (ids, request) = ([String](), BrowseSessionsRequest(focuses: [.strength], pageSize: 3))
      repeat {
        let page = try await matching.sessions.browseSessions(request, TestUser.grace.options)
        ids += page.matches.compactMap(\.session?.sessionID)
        request.pageToken = page.nextPageToken
        try await matching.post(RunningMatching.request(in: 10 + 100 * ids.count), as: .one(7))
      } while !request.pageToken.isEmpty
      #expect(ids.count == 7 && Set(ids).count == 7)
    }
  }

  @Test("[MA-3] M-3: own, blocked and offered sessions take no place: whatever fits is found beside 450 that do not")
  func filtersBeforeLimits() async throws {
    try await RunningMatching.with { matching in
      let fitting = try await matching.post(RunningMatching.request(in: 3_000), as: .kim)
      let pattern = try await matching.post()
      try await Self.copy(pattern, 450, matching)
      try await matching.sql(
        "insert into blocks (blocker_id, blocked_id) values ('\(TestUser.grace.id)', '\(TestUser.ada.id)')")
      for call in [
        BrowseSessionsRequest(gymID: TestGym.raffles.id.description), BrowseSessionsRequest(focuses: [.strength]),
        BrowseSessionsRequest(gymID: TestGym.raffles.id.description, focuses: [.strength]),
        BrowseSessionsRequest(point: TestGym.raffles.wire, radiusM: 5_000),
        BrowseSessionsRequest(point: TestGym.raffles.wire, radiusM: 5_000, focuses: [.strength]),
        BrowseSessionsRequest(startTime: pattern.startTime),
      ] {
        #expect(try await matching.browse(call).map(\.session?.sessionID) == [fitting.sessionID])
      }
    }
  }

  /// Copies a session, a minute later each, under owners whom no other session has.
  private static func copy(_ session: Session, _ count: Int, _ matching: RunningMatching) async throws {
    try await matching.sql(
      """
      insert into sessions (id, owner_id, state, starts_at, ends_at, gym_id, gym_name, gym_latitude, gym_longitude, time_zone,
        focus, level, admitted, owner_gender, posted_at, updated_at)
      select overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, owner_id, 'OPEN', starts_at + n * interval '1 minute',
        ends_at + n * interval '1 minute', gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted,
        owner_gender, posted_at, updated_at
      from sessions, generate_series(1, \(count)) as n where id = '\(session.sessionID)'
      """)
  }

  @Test(
    "[MA-3] [C-5] M-3: pages go on to the end, the best first, then by start: none of 1,500 sessions twice or left out",
    arguments: [
      BrowseSessionsRequest(gymID: TestGym.raffles.id.description), BrowseSessionsRequest(focuses: [.strength, .yoga]),
      BrowseSessionsRequest(gymID: TestGym.raffles.id.description, focuses: [.strength]),
      BrowseSessionsRequest(point: TestGym.raffles.wire, radiusM: 5_000),
      BrowseSessionsRequest(point: TestGym.raffles.wire, radiusM: 1_000_000, levels: [.expert]),
      BrowseSessionsRequest(startTime: (RunningMatching.start + Duration.seconds(60)).timestamp),
    ])
  func allPages(filter: BrowseSessionsRequest) async throws {
    try await RunningMatching.with { matching in
      let pattern = try await matching.post(RunningMatching.request(in: 600))
      try await Self.copy(pattern, 1_499, matching)
      var (ids, call) = ([String](), filter)
      call.pageSize = 200
      var pages = 0
      repeat {
        let page = try await matching.sessions.browseSessions(call, TestUser.grace.options)
        ids += page.matches.compactMap(\.session?.sessionID)
        #expect(page.matches.count == 200 || page.nextPageToken.isEmpty)
        call.pageToken = page.nextPageToken
        pages += 1
      } while !call.pageToken.isEmpty && pages < 20
      #expect(ids.count == 1_500 && Set(ids).count == 1_500)
    }
  }

  @Test("[C-2] a slot that ends before its start, two places and no radius are named at once")
  func badFields() async throws {
    try await RunningMatching.with { matching in
      let refused = try await refusal {
        try await matching.browse(
          BrowseSessionsRequest(
            startTime: .init(seconds: 2), endTime: .init(seconds: 1), gymID: TestGym.raffles.id.description,
            point: .init(latitude: 91), radiusM: -1, pageSize: -1))
      }
      #expect(
        refused.fieldReasons == [
          "SLOT_INVALID", "POINT_INVALID", "RADIUS_INVALID", "PLACE_AMBIGUOUS", "PAGE_SIZE_INVALID",
        ])
    }
  }
}
