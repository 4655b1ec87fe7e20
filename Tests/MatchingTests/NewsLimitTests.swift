import Identifiers
import MatchingDomain
import MatchingStore
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("what one user has others notified of", .timeLimit(.minutes(5)))
struct NewsLimitTests {
  @Test("[MA-16] M-2: of 100 joins and cancellations in turns the poster is told of 20 a day, and the rest is refused")
  func joinAndCancel() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post(RunningMatching.request(in: 20 * 1_440))
      var refused = 0
      for _ in 0..<100 {
        do {
          try await matching.join(session)
          try await matching.cancel(session, as: .grace)
        } catch let status as Status {
          #expect(status.code == .resourceExhausted && status.reason == "TOO_MANY_JOINS" && status.retryAfter != nil)
          refused += 1
        }
      }
      #expect(refused == 80)
      #expect(try await matching.kinds(to: .ada).count == 40)
      // Others may, and the day after the user may again.
      try await matching.join(session, as: .kim)
      try await matching.cancel(session, as: .kim)
      try await matching.advance(by: NewsLimits.window)
      try await matching.join(session)
    }
  }

  @Test("[MA-16] M-2: of 60 posts and cancellations a saved search is told of 20 a day; more are refused")
  func postAndCancel() async throws {
    try await RunningMatching.with { matching in
      try await matching.save(SearchFilter(gymID: TestGym.raffles.id.description))
      for _ in 0..<60 { try await matching.cancel(matching.post(), as: .ada) }
      try await matching.settled()
      let refused = try await refusal { try await matching.post() }
      #expect(refused.code == .resourceExhausted && refused.reason == "TOO_MANY_POSTS" && refused.retryAfter != nil)
      #expect(try await matching.found().count <= 20)
      try await matching.advance(by: NewsLimits.window)
      try await matching.post(RunningMatching.request(in: 3 * 1_440))
    }
  }

  @Test("[MA-16] M-3: a user has 30 posts open; a cancelled one makes room")
  func openPosts() async throws {
    try await RunningMatching.with { matching in
      var posts: [Session] = []
      for number in 0..<30 {
        posts.append(try await matching.post(RunningMatching.request(in: 120 + 15 * number, lasting: 15)))
      }
      let refused = try await refusal { try await matching.post(RunningMatching.request(in: 2_000)) }
      #expect(refused.code == .failedPrecondition && refused.reason == "TOO_MANY_OPEN_POSTS")
      try await matching.cancel(posts[0], as: .ada)
      try await matching.post(RunningMatching.request(in: 2_000))
    }
  }

  @Test("[MA-16] M-2: a join that is repeated by its request id, or only validated, is not counted")
  func repeatedJoin() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      for _ in 0..<30 {
        _ = try await matching.sessions.joinSession(
          JoinSessionRequest(sessionID: session.sessionID, validateOnly: true), TestUser.grace.options)
      }
      let call = JoinSessionRequest(
        sessionID: session.sessionID, requestID: "7b8c2f0e-3d55-4a51-9d4c-6d2c3c0f9a11")
      for _ in 0..<30 { _ = try await matching.sessions.joinSession(call, TestUser.grace.options) }
      #expect(try await matching.value("select joins from news_quotas where user_id = '\(TestUser.grace.id)'") == "1")
    }
  }

  @Test("[MA-16] sessions that ended two years ago are removed with participations and feedback, later ones stay")
  func retention() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      try await matching.advance(to: .seconds(180 * 60))
      _ = try await matching.sessions.submitFeedback(
        SubmitFeedbackRequest(sessionID: session.sessionID, rating: 5), TestUser.ada.options)
      // The job that finishes the session at its end has it locked for a moment, and what is locked is left for later.
      try await matching.settled()
      let open = try await matching.post(RunningMatching.request(in: 500))
      let end = RunningMatching.start + Duration.seconds(180 * 60)
      for (moment, left) in [(end - .microseconds(1), "2"), (end, "1")] {
        let removed = try await matching.own.write(DeleteOldSessions(moment: moment, limit: 100))
        #expect(removed.count == (left == "1" ? 1 : 0))
        #expect(try await matching.value("select count(*) from sessions") == left)
      }
      #expect(try await matching.state(of: open) == "OPEN")
      #expect(try await matching.value("select count(*) from feedback") == "0")
      #expect(try await matching.value("select count(*) from participations") == "1")
      let profile = try await matching.sessions.getMatchingProfile(
        GetMatchingProfileRequest(userID: TestUser.grace.id.description), TestUser.ada.options)
      #expect(profile.ratingCount == 1, "the reputation stays")
    }
  }
}
