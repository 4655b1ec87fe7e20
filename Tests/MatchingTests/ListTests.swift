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

@Suite("lists of sessions and bars")
struct ListTests {
  @Test("[MA-12] upcoming sessions are listed by their start, past ones the latest first, both in pages and by state")
  func mine() async throws {
    try await RunningMatching.with { matching in
      for minutes in [300, 60, 180] { try await matching.post(RunningMatching.request(in: minutes)) }
      let starts = try await matching.mine(.ada).map { $0.startTime?.seconds ?? 0 }
      #expect(starts == starts.sorted() && starts.count == 3)
      try await matching.advance(to: .seconds(400 * 60))
      try await matching.settled()
      #expect(try await matching.mine(.ada).isEmpty)
      var (past, request) = ([Session](), ListMySessionsRequest(time: .past, pageSize: 2))
      repeat {
        let page = try await matching.sessions.listMySessions(request, TestUser.ada.options)
        past += page.sessions
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
      #expect(past.map { $0.startTime?.seconds ?? 0 } == starts.reversed())
      let lapsed = try await matching.sessions.listMySessions(
        ListMySessionsRequest(time: .past, state: .lapsed), TestUser.ada.options)
      #expect(lapsed.sessions.count == 3)
      let failed = try await matching.sessions.listMySessions(
        ListMySessionsRequest(time: .past, state: .failed), TestUser.ada.options)
      #expect(failed.sessions.isEmpty)
    }
  }

  @Test("[C-11] changes of own sessions are listed since a token, none skipped: created, changed, no longer one's own")
  func changes() async throws {
    try await RunningMatching.with { matching in
      // A change is listed once no older transaction is open, in whatever database of the server.
      func changes(_ token: String, _ user: TestUser = .ada) async throws -> ListSessionChangesResponse {
        try await eventually("a change is listed") {
          let answer = try await matching.sessions.listSessionChanges(
            ListSessionChangesRequest(since: token), user.options)
          return answer.changed.isEmpty && answer.deletedSessionIds.isEmpty ? nil : answer
        }
      }
      let session = try await matching.post()
      let first = try await changes("")
      #expect(first.changed.map(\.sessionID) == [session.sessionID] && !first.hasMore)
      let same = try await matching.sessions.listSessionChanges(
        ListSessionChangesRequest(since: first.nextChangeToken), TestUser.ada.options)
      #expect(same.changed.isEmpty && same.deletedSessionIds.isEmpty)
      try await matching.join(session)
      let second = try await changes(first.nextChangeToken)
      #expect(second.changed.map(\.matched) == [true])
      try await matching.cancel(session, as: .ada)
      let third = try await changes(second.nextChangeToken)
      #expect(third.changed.isEmpty && third.deletedSessionIds == [session.sessionID])
      try await until("the one who stays sees it open") {
        try await changes("", .grace).changed.map(\.state) == [.open]
      }
      let foreign = try await refusal {
        try await matching.sessions.listSessionChanges(
          ListSessionChangesRequest(since: third.nextChangeToken), TestUser.grace.options)
      }
      #expect(foreign.fieldReasons == ["CHANGE_TOKEN_INVALID"])
    }
  }

  @Test("[MA-14] an operator lists bars and lifts one; the user may post again, and every change is in the audit trail")
  func lift() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(119 * 60))
      try await matching.cancel(session, as: .grace)
      let listed = try await matching.bars.listBars(
        ListBarsRequest(userID: TestUser.grace.id.description), .asOperator
      ).bars
      #expect(listed.map(\.username) == ["grace.h"] && listed.first?.changes.map(\.change) == ["IMPOSED"])
      let bar = try #require(listed.first?.bar)
      for _ in 0..<2 {
        let lifted = try await matching.bars.liftBar(
          LiftBarRequest(barID: bar.barID, reason: "The gym was closed", actor: "root"), .asOperator)
        #expect(lifted.changes.map(\.change) == ["IMPOSED", "LIFTED"] && lifted.changes.last?.actor == "root")
        #expect(lifted.changes.last?.reason == "The gym was closed" && lifted.bar?.liftTime != nil)
      }
      #expect(try await matching.bars.listBars(ListBarsRequest(), .asOperator).bars.isEmpty)
      #expect(try await matching.bars.listBars(ListBarsRequest(includeEnded: true), .asOperator).bars.count == 1)
      try await matching.post(RunningMatching.request(in: 3_000), as: .grace)
      let unknown = try await refusal {
        try await matching.bars.liftBar(
          LiftBarRequest(barID: session.sessionID, reason: "No", actor: "root"), .asOperator)
      }
      #expect(unknown.reason == "BAR_NOT_FOUND")
      let tampered = await #expect(throws: PostgresError.self) {
        try await matching.sql("update bar_changes set reason = 'other'")
      }
      #expect(tampered?.message.contains("only added to") == true)
    }
  }
}

@Suite("users who part")
struct CleanupTests {
  /// Does what the consumer of identity's events does with the deletion of an account.
  static func delete(_ user: TestUser, _ matching: RunningMatching) async throws {
    try await mark(user, matching)
    try await cleanUp(matching)
  }

  /// What is done at once.
  static func mark(_ user: TestUser, _ matching: RunningMatching) async throws {
    try await matching.own.repeatableTransaction { tx in
      for removal in MatchingSchema.removals { try await remove(removal, user.id, tx) }
    }
  }

  /// What a job does later.
  private static func cleanUp(_ matching: RunningMatching) async throws {
    try await matching.own.repeatableTransaction { tx in try await matching.operations.scheduleCleanup(tx) }
    try await matching.settled()
  }

  private static func remove<R: AccountDeletionStatement>(
    _ removal: R.Type, _ user: UserID, _ tx: Transaction
  ) async throws {
    try await tx.execute(R(userID: user))
  }

  @Test("[C-9] B10: a user whose sessions cannot be closed keeps no other user's from being")
  func failingCleanup() async throws {
    try await RunningMatching.with { matching in
      let (ada, grace) = (
        try await matching.post(RunningMatching.request(in: 500)),
        try await matching.post(RunningMatching.request(in: 500), as: .grace)
      )
      try await matching.sql(
        """
        create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
        create trigger refused before update or delete on sessions for each row
        when (old.id = '\(ada.sessionID)') execute function refuse()
        """)
      for user in [TestUser.ada, .grace] { try await Self.mark(user, matching) }
      try await matching.own.repeatableTransaction { tx in try await matching.operations.scheduleCleanup(tx) }
      try await until("the other's is closed") {
        // A job that failed is repeated by the clock, which stands still.
        try await matching.advance(by: .seconds(1))
        return try await matching.value("select cleaned_up from users where id = '\(TestUser.grace.id)'") == "t"
      }
      #expect(try await matching.value("select state from sessions where id = '\(grace.sessionID)'") != "OPEN")
      #expect(try await matching.value("select cleaned_up from users where id = '\(TestUser.ada.id)'") == "f")
    }
  }

  @Test(
    "[C-9] an account deletion removes open sessions, leaves matched ones to the partner, and keeps no id of the user")
  func deletion() async throws {
    try await RunningMatching.with { matching in
      let open = try await matching.post(RunningMatching.request(in: 500))
      let matched = try await matching.match()
      let done = try await matching.match(RunningMatching.request(in: 30, lasting: 20))
      try await matching.advance(to: .seconds(30 * 60))
      for user in [TestUser.ada, .grace] { try await matching.checkIn(done, as: user) }
      try await matching.advance(to: .seconds(45 * 60))
      _ = try await matching.sessions.finishSession(
        FinishSessionRequest(sessionID: done.sessionID), TestUser.ada.options)
      for user in [TestUser.ada, .grace] {
        _ = try await matching.sessions.submitFeedback(
          SubmitFeedbackRequest(sessionID: done.sessionID, rating: 4, remarks: "Thanks"), user.options)
      }
      try await Self.delete(.ada, matching)
      #expect(try await matching.state(of: open) == "CANCELLED")
      #expect(try await matching.state(of: matched) == "OPEN")
      let mine = try await matching.mine(.grace)
      #expect(mine.map(\.sessionID).contains(matched.sessionID))
      let received = try await matching.sessions.listFeedback(ListFeedbackRequest(), TestUser.grace.options).feedback
      #expect(received.map(\.rating) == [4] && received.map(\.authorID) == [""] && received.map(\.remarks) == [""])
      for table in [
        "participations where user_id", "sessions where owner_id", "sessions where partner_id",
        "feedback where recipient_id", "feedback where author_id", "bars where user_id",
      ] {
        #expect(try await matching.value("select count(*) from \(table) = '\(TestUser.ada.id)'") == "0", "\(table)")
      }
      #expect(try await refusal { try await matching.post(as: .ada) }.code == .unauthenticated)
    }
  }

  @Test("[C-9] 29 B2: what grows with a user is erased in parts, in transactions of their own, and not seen meanwhile")
  func parts() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      let ada = "'\(TestUser.ada.id)'::uuid"
      try await matching.sql(
        """
        insert into users (id)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, \(SessionCleanup.rows * 2 + 1)) n;
        insert into feedback (id, session_id, author_id, recipient_id, rating, adjectives, remarks, given_at)
        select id, '\(session.sessionID)', \(ada), id, 5, '{}', '', now() from users where id::text like '00000000-%'
        """)
      try await Self.mark(.ada, matching)
      let view = GetMatchingProfileRequest(userID: TestUser.ada.id.description)
      let hidden = try await refusal {
        try await matching.sessions.getMatchingProfile(view, TestUser.grace.options)
      }
      #expect(hidden.reason == "USER_NOT_FOUND")
      try await Self.cleanUp(matching)
      #expect(try await matching.value("select count(*) from feedback where author_id = \(ada)") == "0")
      // The transaction of a row's last change is in its `xmin`.
      #expect(try await matching.value("select count(distinct xmin::text) from feedback") == "3")
      #expect(try await matching.value("select bool_and(cleaned_up) from users") == "t")
    }
  }

  @Test("[C-9] 29 B2: the place that is offered to a user who deletes the account is offered to the next who waits")
  func offer() async throws {
    try await RunningMatching.with { matching in
      let next = TestUser.one(1)
      try await matching.introduce([next])
      let session = try await matching.match()
      for user in [TestUser.kim, next] { try await matching.wait(for: session, as: user) }
      try await matching.cancel(session, as: .grace)
      #expect(try await matching.value("select offered_to from sessions") == "\(TestUser.kim.id)")
      try await Self.delete(.kim, matching)
      #expect(try await matching.value("select offered_to from sessions") == "\(next.id)")
      #expect(try await matching.sql("select user_id from waiting_list") == [["\(next.id)"]])
      #expect(try await matching.join(session, as: next).matched)
    }
  }

  @Test("[C-9] a matched session that has begun fails when a participant deletes the account, and nobody is barred")
  func deletionAfterStart() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(121 * 60))
      try await matching.checkIn(session, as: .grace)
      try await Self.delete(.ada, matching)
      #expect(try await matching.state(of: session) == "FAILED")
      try await matching.advance(to: .seconds(140 * 60))
      try await matching.settled()
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }

  @Test("[C-9] a bar that a judgement imposes between an account deletion and its cleanup goes with the account")
  func lateBar() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await Self.mark(.ada, matching)
      try await matching.advance(to: .seconds(136 * 60))
      try await matching.settled()
      #expect(try await matching.state(of: session) == "FAILED")
      #expect(try await matching.value("select count(*) from bars") == "2")
      try await Self.cleanUp(matching)
      #expect(try await matching.sql("select user_id from bars") == [["\(TestUser.grace.id)"]])
      #expect(try await matching.value("select count(*) from bar_changes") == "1")
    }
  }

  @Test("[C-11] a session that is over is listed as changed when the other participant deletes the account")
  func changeByDeletion() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      func changes(_ token: String) async throws -> ListSessionChangesResponse {
        try await eventually("a change is listed") {
          let answer = try await matching.sessions.listSessionChanges(
            ListSessionChangesRequest(since: token), TestUser.grace.options)
          return answer.changed.isEmpty ? nil : answer
        }
      }
      let before = try await eventually("the check-ins are listed") {
        let answer = try await changes("")
        return answer.changed.first?.state == .successful ? answer : nil
      }
      try await Self.delete(.ada, matching)
      let after = try await changes(before.nextChangeToken)
      #expect(after.changed.map(\.sessionID) == [session.sessionID] && after.changed.first?.owner?.userID == "")
    }
  }

  @Test("[C-10] a block takes the blocker out of a matched session, with an hour's notice without a bar")
  func block() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(60 * 60))
      try await matching.block(.grace, by: .ada)
      #expect(try await matching.state(of: session) == "OPEN")
      #expect(try await matching.mine(.grace).first?.owner?.username == "grace.h")
      #expect(try await matching.mine(.ada).isEmpty)
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }
}

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

extension RunningMatching {
  /// The operations of the test, like those of the consumers of other services' events.
  var operations: SessionOperations {
    SessionOperations(
      database: own, environment: runtime.environment, events: runtime.events, jobs: runtime.jobs,
      identity: neighbours, catalog: neighbours, logger: runtime.logger)
  }
}

@Suite("the schema of matching")
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    try await TestDatabase.with([RunningMatching.schema]) { database in
      let problems = try await SchemaCheck.problems(
        of: MatchingSchema.name, in: database,
        statements: MatchingSchema.statements + AccountDeletionsSchema.statements(for: MatchingSchema.removals))
      #expect(problems == [])
    }
  }

  @Test("[MA-3] the database numbers the kinds of sessions as the domain does")
  func kinds() async throws {
    try await RunningMatching.with { matching in
      try await matching.post()
      for focus in MatchingDomain.Focus.allCases {
        for (level, gender) in [(MatchingDomain.Level.novice, MatchingDomain.Gender.other), (.expert, .male)] {
          try await matching.sql(
            "update sessions set focus = '\(focus.rawValue)', level = '\(level.rawValue)', owner_gender = '\(gender.rawValue)'"
          )
          #expect(
            try await matching.value("select kind from sessions") == "\(SessionKind(focus, level, gender).number)")
        }
      }
    }
  }

  @Test(
    "[MA-2] the database refuses what no decision allows",
    arguments: [
      ("participations_no_overlap", "update participations set slot = (select slot from participations limit 1)"),
      ("sessions_participants", "update sessions set partner_id = null"),
      ("sessions_length", "update sessions set ends_at = starts_at + interval '14 minutes'"),
      ("sessions_finished_successful", "update sessions set finished_at = now()"),
    ])
  func constraints(name: String, change: String) async throws {
    try await RunningMatching.with { matching in
      try await matching.match()
      try await matching.match(RunningMatching.request(in: 300))

      let error = await #expect(throws: PostgresError.self) { try await matching.sql(change) }
      #expect(error?.constraint == name || error?.message.contains(name) == true, "\(String(describing: error))")
    }
  }
}
