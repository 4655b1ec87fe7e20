import AccountDeletions
import Blocks
import Events
import Identifiers
import MatchingBackground
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("what deletions and missed blocks find")
struct ThoroughCleanupTests {
  /// Fills every table with something of Ada's, as the rest of the service does.
  private static func live(_ matching: RunningMatching) async throws {
    let (ada, grace) = (TestUser.ada, TestUser.grace)
    try await matching.save(SearchFilter(focuses: [.strength]), as: ada)
    try await matching.post(RunningMatching.request(in: 1_000), as: grace)
    _ = try await matching.found()
    let repeated = try await matching.post(RunningMatching.request(in: 500))
    try await matching.repeated(repeated)
    let foreign = try await matching.join(matching.post(RunningMatching.request(in: 700), as: .kim), as: grace)
    try await matching.wait(for: foreign, as: ada)
    try await matching.list(ada, 1.3, 103.8)
    _ = try await matching.link(of: ada)
    _ = try await matching.sessions.shareSession(ShareSessionRequest(sessionID: repeated.sessionID), ada.options)
    var request = RunningMatching.request(in: 300)
    request.requestID = "7b8c2f0e-3d55-4a51-9d4c-6d2c3c0f9a11"
    try await matching.cancel(matching.post(request), as: ada)
    try await matching.own.write(
      AddBlocks([Block(of: TestUser.alan.id, by: ada.id), Block(of: ada.id, by: TestUser.kim.id)]))
    let session = try await matching.match()
    let late = try await matching.match(RunningMatching.request(in: 200, lasting: 30))
    try await matching.advance(to: .seconds(119 * 60))
    for user in [ada, grace] { try await matching.checkIn(session, as: user) }
    try await matching.advance(to: .seconds(180 * 60))
    for user in [ada, grace] {
      _ = try await matching.sessions.submitFeedback(
        SubmitFeedbackRequest(sessionID: session.sessionID, rating: 4), user.options)
    }
    try await matching.cancel(late, as: ada)
  }

  /// Columns of tables, other than of the users' own and of the logs of events and jobs, and how often each has the id of a user.
  private static func mentions(of user: TestUser, _ matching: RunningMatching) async throws -> [String: Int] {
    let columns = try await matching.sql(
      """
      select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'matching' and table_type = 'BASE TABLE' and data_type in ('uuid', 'text', 'jsonb')
        and table_name not in ('users', 'events', 'jobs')
      """)
    var found: [String: Int] = [:]
    for column in columns {
      guard let table = column[0], let name = column[1] else { continue }
      let count = try await matching.value(
        "select count(*) from \(table) where \(name)::text like '%\(user.id)%'")
      if let count = count.flatMap({ Int($0) }), count > 0 { found["\(table).\(name)"] = count }
    }
    return found
  }

  @Test("[C-9] every table that kept the id of a user is free of it after the account deletion")
  func everyTable() async throws {
    try await RunningMatching.with { matching in
      try await Self.live(matching)
      let before = try await Self.mentions(of: .ada, matching)
      #expect(
        Set(before.keys).isSuperset(of: [
          "bars.user_id", "blocks.blocker_id", "blocks.blocked_id", "calendar_links.user_id", "feedback.author_id",
          "feedback.recipient_id", "partner_listings.user_id", "participations.user_id", "repetitions.user_id",
          "replays.caller", "saved_searches.user_id", "search_notices.user_id", "session_shares.user_id",
          "sessions.owner_id", "waiting_list.user_id",
        ]), "\(before.keys.sorted())")
      try await CleanupTests.delete(.ada, matching)
      #expect(try await Self.mentions(of: .ada, matching) == [:])
      let kept = try await matching.sql(
        "select username, gender, level, rating_count::text, attended::text from users where id = '\(TestUser.ada.id)'")
      #expect(kept == [["", nil, nil, "0", "0"]])
    }
  }

  @Test("[C-9] every statement that removes what is stored about a user is run at an account deletion")
  func everyStatement() {
    let made = MatchingSchema.statements.filter { $0 is any AccountDeletionStatement.Type }.map { "\($0)" }
    #expect(Set(made) == Set(MatchingSchema.removals.map { "\($0)" }) && made.count == MatchingSchema.removals.count)
  }

  @Test("[C-10] after missed events users who blocked each other are parted in every session, whatever lies between")
  func everyBlock() async throws {
    try await RunningMatching.with { matching in
      let pattern = try await matching.match()
      // More sessions than one transaction looks at; every hundredth pair has a block.
      try await matching.sql(
        """
        insert into users (id) select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, 9000) n;
        insert into sessions (id, owner_id, partner_id, state, starts_at, ends_at, gym_id, gym_name, gym_latitude,
          gym_longitude, time_zone, focus, level, admitted, owner_gender, posted_at, updated_at)
        select overlay(id::text placing lpad(n::text, 12, '0') from 25)::uuid,
          ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
          ('00000000-0000-7000-8000-' || lpad((n + 4500)::text, 12, '0'))::uuid, 'MATCHED', starts_at, ends_at, gym_id,
          gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted, owner_gender, posted_at, updated_at
        from sessions, generate_series(1, 4500) n;
        insert into participations (session_id, user_id, slot)
        select id, unnest(array[owner_id, partner_id]), tstzrange(starts_at, ends_at) from sessions
        where id <> '\(pattern.sessionID)';
        insert into blocks (blocker_id, blocked_id)
        select case when n % 200 = 0 then owner_id else partner_id end, case when n % 200 = 0 then partner_id else owner_id end
        from (select owner_id, partner_id, right(id::text, 12)::bigint as n from sessions where id <> '\(pattern.sessionID)') as one
        where n % 100 = 0;
        """)
      try await matching.own.repeatableTransaction { tx in try await matching.operations.scheduleParting(tx) }
      try await matching.settled()
      #expect(
        try await matching.sql("select state, count(*)::text from sessions group by 1 order by 1") == [
          ["MATCHED", "4456"], ["OPEN", "45"],
        ])
      let blockers = "select count(*) from sessions join blocks on owner_id = blocked_id where state = 'OPEN'"
      #expect(try await matching.value(blockers) == "45", "the blocker is who leaves")
    }
  }
}
