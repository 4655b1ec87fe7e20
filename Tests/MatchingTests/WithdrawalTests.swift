import Identifiers
import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("own posts in the way of a join", .timeLimit(.minutes(5)))
struct WithdrawalTests {
  @Test("[MA-2] own unmatched posts that overlap are withdrawn by the join, and named, by validate_only too")
  func withdrawn() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let before = try await matching.post(RunningMatching.request(in: 90, lasting: 40), as: .grace)
      let within = try await matching.post(RunningMatching.request(in: 130, lasting: 20), as: .grace)
      let beside = try await matching.post(RunningMatching.request(in: 180), as: .grace)
      let trial = try await matching.sessions.joinSession(
        JoinSessionRequest(sessionID: session.sessionID, validateOnly: true), TestUser.grace.options)
      #expect(Set(trial.withdrawnSessionIds) == [before.sessionID, within.sessionID])
      for stays in [before, session] { #expect(try await matching.state(of: stays) == "OPEN") }
      let joined = try await matching.join(session)
      #expect(joined.withdrawnSessionIds == trial.withdrawnSessionIds)
      for (post, state) in [(before, "CANCELLED"), (within, "CANCELLED"), (beside, "OPEN"), (session, "MATCHED")] {
        #expect(try await matching.state(of: post) == state)
      }
      #expect(
        Set(try await matching.told(SessionCancelled.self).map(\.sessionID)) == [before.sessionID, within.sessionID])
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }

  @Test("[MA-2] a matched session that overlaps refuses the join, with the words for a join")
  func matchedStays() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let own = try await matching.post(RunningMatching.request(in: 150), as: .grace)
      try await matching.join(own, as: .kim)
      let refused = try await refusal { try await matching.join(session) }
      #expect(refused.code == .failedPrecondition && refused.reason == "SLOT_TAKEN")
      #expect(refused.message == "You already have a session in this time slot. Please select a different session.")
      #expect(try await matching.state(of: own) == "MATCHED")
    }
  }

  @Test(
    "[MA-2] users who join each other's posts of one hour, dozens at once, never deadlock and are in one session each")
  func race() async throws {
    try await RunningMatching.with { matching in
      let users = (0..<16).map { TestUser.one($0) }
      try await matching.introduce(users)
      var posts: [Session] = []
      for user in users { posts.append(try await matching.post(as: user)) }
      let posted = posts
      let results = await matching.race(64) { sessions, number in
        let user = users[number % 16]
        // The next one, the one before, and two others.
        let target = (number % 16 + [1, 15, 5, 8][number / 16]) % 16
        return try await sessions.joinSession(
          JoinSessionRequest(sessionID: posted[target].sessionID), user.options)
      }
      let expected: Set = ["SESSION_TAKEN", "SLOT_TAKEN", "SESSION_NOT_FOUND", "OWN_SESSION"]
      #expect(Set(results.reasons()).isSubset(of: expected), "\(Set(results.reasons()))")
      let twice = try await matching.sql(
        """
        select user_id from participations join sessions on id = session_id
        where active and state = 'MATCHED' group by user_id having count(*) > 1
        """)
      #expect(twice.isEmpty)
      #expect(
        try await matching.value(
          """
          select count(*) from participations as one join participations as other
          on one.user_id = other.user_id and one.session_id < other.session_id and one.active and other.active
            and one.slot && other.slot
          """) == "0")
      #expect(!results.successes().isEmpty)
      let matched = try await matching.value("select count(*) from sessions where state = 'MATCHED'")
      #expect(matched == "\(results.successes().count)")
      #expect(
        try await matching.value("select deadlocks from pg_stat_database where datname = current_database()") == "0")
    }
  }
}
