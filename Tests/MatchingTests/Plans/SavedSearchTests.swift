import GoogleType
import MatchingDomain
import TestServices
import struct MatchingStore.NotifySearchers
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import TestSupport
import Testing

extension RunningMatching {
  var searches: SavedSearchesClient { SavedSearchesClient(client) }

  @discardableResult
  func save(_ filter: SearchFilter, as user: TestUser = .grace) async throws -> SavedSearch {
    try await searches.saveSearch(SaveSearchRequest(name: "Evenings", filter: filter), user.options)
  }

  /// Who was notified of sessions, in order of the events, once the jobs are done.
  func found() async throws -> [[String]] {
    try await settled()
    return try await told(NotificationRequested.self).compactMap {
      if case .sessionFound = $0.news { $0.recipientIds } else { nil }
    }
  }
}

@Suite("saved searches", .timeLimit(.minutes(5)))
struct SavedSearchTests {
  @Test("[MA-18] a user is notified once of a session, however many of their searches it fits")
  func once() async throws {
    try await RunningMatching.with { matching in
      try await matching.save(SearchFilter(focuses: [.strength]))
      try await matching.save(SearchFilter(gymID: TestGym.raffles.id.description))
      try await matching.save(SearchFilter(point: TestGym.tanjong.wire, radiusM: 5_000))
      let session = try await matching.post()
      #expect(try await matching.found() == [[TestUser.grace.id.description]])
      try await matching.join(session)
      // Open again, but known.
      try await matching.cancel(session, as: .grace)
      #expect(try await matching.found().count == 1)
      try await matching.post(RunningMatching.request(in: 400))
      #expect(try await matching.found().count == 2)
    }
  }

  @Test("[MA-18] only users whom the session suits are notified, and no user of the own session")
  func suitable() async throws {
    try await RunningMatching.with { matching in
      for user in [TestUser.ada, .grace, .alan, .kim] {
        try await matching.save(SearchFilter(focuses: [.strength]), as: user)
      }
      try await matching.sql(
        "insert into blocks (blocker_id, blocked_id) values ('\(TestUser.kim.id)', '\(TestUser.ada.id)')")
      // Alan is no woman; Kim has blocked Ada.
      try await matching.post(RunningMatching.request(genders: [.female, .other]))
      #expect(try await matching.found() == [[TestUser.grace.id.description]])
      // A novice's session is for the experienced.
      try await matching.post(RunningMatching.request(in: 400, level: .novice))
      #expect(try await matching.found().count == 2)
      #expect(try await matching.found().last == [TestUser.grace.id.description])
    }
  }

  @Test("[MA-18] places, levels, and the days and times of the user's own zone are kept")
  func filters() async throws {
    try await RunningMatching.with { matching in
      // The clock stands at noon UTC on a Thursday; the sessions begin at 14:00 UTC.
      let zone = "Pacific/Kiritimati"
      let filters: [(SearchFilter, TestUser, Bool)] = [
        (SearchFilter(point: TestGym.quito.wire, radiusM: 100_000), .one(1), false),
        (SearchFilter(point: TestGym.raffles.north(900), radiusM: 1_000), .one(2), true),
        (SearchFilter(point: TestGym.raffles.north(1_100), radiusM: 1_000), .one(3), false),
        (SearchFilter(levels: [.novice]), .one(4), false),
        (SearchFilter(genders: [.female]), .one(5), true),
        (SearchFilter(weekdays: [.friday], timeZone: zone), .one(6), true),
        (SearchFilter(weekdays: [.thursday], timeZone: zone), .one(7), false),
        (SearchFilter(earliestStart: .init(hours: 4), latestStart: .init(hours: 4), timeZone: zone), .one(8), true),
        (SearchFilter(earliestStart: .init(hours: 23), latestStart: .init(hours: 5), timeZone: zone), .one(9), true),
        (SearchFilter(earliestStart: .init(hours: 5), latestStart: .init(hours: 23), timeZone: zone), .one(10), false),
      ]
      try await matching.introduce(filters.map(\.1))
      for (filter, user, _) in filters { try await matching.save(filter, as: user) }
      try await matching.post()
      let expected = filters.filter(\.2).map(\.1.id.description)
      #expect(try await matching.found().flatMap { $0 } == expected)
    }
  }

  @Test("[MA-18] of 1,300 users with several searches each, in batches, every one is told once")
  func batches() async throws {
    try await RunningMatching.with { matching in
      try await matching.sql(
        """
        insert into users (id, gender, level, profile_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'FEMALE', 'EXPERT', now() from generate_series(1, 1300) n;
        insert into saved_searches (id, user_id, place, name, gym_id, focuses, genders, levels, weekdays, created_at)
        select gen_random_uuid(), users.id, place, 'x', case when place = 3 then '\(TestGym.raffles.id)'::uuid end,
          '{STRENGTH}', '{}', '{}', 127, now()
        from users, generate_series(1, 3) as place where users.id::text like '00000000%'
        """)
      try await matching.post()
      let told = try await matching.found().flatMap { $0 }
      #expect(told.count == 1_300 && Set(told).count == 1_300)
    }
  }

  @Test("[MA-18] [ID-20] a user without the gym part of a profile saves no search, and may once there is one")
  func withoutGymPart() async throws {
    try await RunningMatching.with { matching in
      let reader = TestUser(99, "reader")
      let filter = SearchFilter(focuses: [.yoga])
      let refused = try await refusal { try await matching.save(filter, as: reader) }
      #expect(refused.code == .failedPrecondition && refused.reason == "GYM_PROFILE_MISSING")
      let both = try await refusal { try await matching.save(SearchFilter(), as: reader) }
      #expect(both.fieldReasons == ["FILTER_REQUIRED"], "bad fields come first")
      try await matching.introduce([reader])
      #expect(try await matching.save(filter, as: reader).filter == filter)
    }
  }

  @Test("[MA-18] B10: a batch of users with searches for any place is read by an index in the order of their ids")
  func plan() async throws {
    try await RunningMatching.with { matching in
      try await matching.sql(
        """
        insert into users (id, gender, level, profile_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'FEMALE', 'EXPERT', now()
        from generate_series(1, 20000) n;
        insert into saved_searches (id, user_id, place, name, gym_id, focuses, genders, levels, weekdays, created_at)
        select gen_random_uuid(), users.id, place, 'x', case when place = 2 then '\(TestGym.raffles.id)'::uuid end,
          '{STRENGTH}', '{}', '{}', 127, now()
        from users, generate_series(1, 2) as place where users.id::text like '00000000%';
        analyze
        """)
      let session = try await matching.post()
      let plan = try await Administration.session(matching.database.url) { admin in
        try admin.run("set search_path to matching; set plan_cache_mode to force_generic_plan")
        try admin.run("prepare batch (uuid, timestamptz, uuid, bigint) as \(NotifySearchers.sql)")
        return try admin.run(
          """
          explain execute batch (
            '\(session.sessionID)', now(), '00000000-0000-7000-8000-000000010000', 500
          )
          """
        ).compactMap { $0.first ?? nil }.joined(separator: "\n")
      }
      #expect(plan.contains("saved_searches_anywhere_idx"), "\(plan)")
      #expect(!plan.contains("Seq Scan on saved_searches"), "\(plan)")
    }
  }

  @Test("[MA-18] [C-2] a search that finds everything or nothing is refused, and a user has 20")
  func refusals() async throws {
    try await RunningMatching.with { matching in
      func reasons(_ filter: SearchFilter) async throws -> [String] {
        try await refusal { try await matching.save(filter) }.fieldReasons
      }
      #expect(try await reasons(SearchFilter()) == ["FILTER_REQUIRED"])
      #expect(try await reasons(SearchFilter(weekdays: [.monday, .monday], timeZone: "UTC")) == ["SLOT_INVALID"])
      #expect(try await reasons(SearchFilter(weekdays: [.monday])) == ["SLOT_INVALID"])
      #expect(try await reasons(SearchFilter(weekdays: [.monday], timeZone: "Mars/Base")) == ["TIME_ZONE_INVALID"])
      #expect(try await reasons(SearchFilter(point: TestGym.raffles.wire, radiusM: .nan)) == ["RADIUS_INVALID"])
      for _ in 0..<20 { try await matching.save(SearchFilter(focuses: [.yoga])) }
      let last = try await refusal { try await matching.save(SearchFilter(focuses: [.yoga])) }
      #expect(last.reason == "TOO_MANY_SAVED_SEARCHES")
      let all = try await matching.searches.listSavedSearches(.init(), TestUser.grace.options).searches
      #expect(all.count == 20 && all[0].filter == SearchFilter(focuses: [.yoga]))
      _ = try await matching.searches.deleteSavedSearch(
        DeleteSavedSearchRequest(searchID: all[0].searchID), TestUser.grace.options)
      try await matching.save(SearchFilter(focuses: [.yoga]))
    }
  }
}
