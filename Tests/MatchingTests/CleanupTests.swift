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

  @Test("[C-9] a matched session that has begun fails when a participant deletes the account, and no user is barred")
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
