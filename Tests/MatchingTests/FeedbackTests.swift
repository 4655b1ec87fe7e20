import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("feedback and reputation")
struct FeedbackTests {
  private static func feedback(
    _ session: Session, rating: Int32 = 5, _ adjectives: [TandemMatching.Adjective] = [], remarks: String = ""
  ) -> SubmitFeedbackRequest {
    SubmitFeedbackRequest(
      sessionID: session.sessionID, rating: rating, adjectives: adjectives, remarks: remarks)
  }

  private static func finish(_ session: Session, _ matching: RunningMatching) async throws {
    let finished = try await matching.sessions.finishSession(
      FinishSessionRequest(sessionID: session.sessionID), TestUser.grace.options)
    #expect(finished.finished)
  }

  @Test(
    "[MA-11] feedback on a finished session shows in the partner's matching profile, the remarks to the partner alone")
  func feedback() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      try await matching.advance(to: .seconds(150 * 60))
      try await Self.finish(session, matching)
      let change = "select changed_in::text from participations where user_id = '\(TestUser.ada.id)'"
      let before = try await matching.value(change)
      let given = try await matching.sessions.submitFeedback(
        Self.feedback(session, rating: 5, [.punctual, .friendly], remarks: " Thank you! "), TestUser.ada.options)
      #expect(given.remarks == "Thank you!" && given.authorUsername == "ada")
      #expect(try await matching.value(change) != before, "[C-11] lists the session, which has feedback now")
      let profile = try await matching.sessions.getMatchingProfile(
        GetMatchingProfileRequest(userID: TestUser.grace.id.description), TestUser.kim.options)
      #expect(profile.meanRating == 5 && profile.ratingCount == 1 && profile.attended == 1 && profile.attendance == 1)
      #expect(abs(profile.rating - 3.75) < 1e-9, "(5 × 3.5 + 5) / 6")
      #expect(profile.adjectives.map(\.adjective) == [.friendly, .punctual])
      let received = try await matching.sessions.listFeedback(ListFeedbackRequest(), TestUser.grace.options).feedback
      #expect(received.map(\.feedbackID) == [given.feedbackID] && received.map(\.remarks) == ["Thank you!"])
      #expect(try await matching.sessions.listFeedback(ListFeedbackRequest(), TestUser.ada.options).feedback.isEmpty)
      #expect(try await matching.told(FeedbackGiven.self).map(\.rating) == [5])
      let mine = try await matching.mine(.ada)
      #expect(mine.map(\.feedbackGiven) == [true])
    }
  }

  @Test("[MA-11] without a rating, with an unknown one, a repeated adjective or 1,001 characters it is refused")
  func badFields() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      try await matching.advance(to: .seconds(150 * 60))
      try await Self.finish(session, matching)
      let missing = try await refusal {
        try await matching.sessions.submitFeedback(Self.feedback(session, rating: 0), TestUser.ada.options)
      }
      #expect(missing.message == "please fill in the rate for your partner before submitting the feedback")
      #expect(missing.fieldReasons == ["RATING_REQUIRED"])
      for (rating, isValid) in [(1, true), (5, true), (6, false), (-1, false)] as [(Int32, Bool)] where !isValid {
        let refused = try await refusal {
          try await matching.sessions.submitFeedback(
            Self.feedback(
              session, rating: rating, [.patient, .patient], remarks: String(repeating: "x", count: 1_001)),
            TestUser.ada.options)
        }
        #expect(refused.fieldReasons == ["RATING_INVALID", "ADJECTIVES_INVALID", "REMARKS_INVALID"])
      }
      _ = try await matching.sessions.submitFeedback(
        Self.feedback(session, rating: 1, remarks: String(repeating: "x", count: 1_000)), TestUser.ada.options)
    }
  }

  @Test("[MA-11] a stranger, a second time, before the finish, and on a failed session are refused")
  func refusals() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      let early = try await refusal {
        try await matching.sessions.submitFeedback(Self.feedback(session), TestUser.ada.options)
      }
      #expect(early.code == .failedPrecondition && early.reason == "NOT_FINISHED")
      // At its end it is finished by itself.
      try await matching.advance(to: .seconds(180 * 60))
      _ = try await matching.sessions.submitFeedback(Self.feedback(session), TestUser.ada.options)
      let again = try await refusal {
        try await matching.sessions.submitFeedback(Self.feedback(session), TestUser.ada.options)
      }
      #expect(again.code == .alreadyExists && again.reason == "FEEDBACK_GIVEN")
      let stranger = try await refusal {
        try await matching.sessions.submitFeedback(Self.feedback(session), TestUser.kim.options)
      }
      #expect(stranger.code == .notFound && stranger.reason == "SESSION_NOT_FOUND")
      let failed = try await matching.match(RunningMatching.request(in: 240))
      try await matching.advance(to: .seconds(256 * 60))
      try await matching.settled()
      let late = try await refusal {
        try await matching.sessions.submitFeedback(Self.feedback(failed), TestUser.ada.options)
      }
      #expect(late.code == .failedPrecondition && late.reason == "NOT_SUCCESSFUL")
      let unfinished = try await refusal {
        try await matching.sessions.finishSession(
          FinishSessionRequest(sessionID: failed.sessionID), TestUser.ada.options)
      }
      #expect(unfinished.reason == "NOT_SUCCESSFUL")
    }
  }

  @Test(
    "[MA-11] M-8: a session counts when it is finished or at its end, once, with its slot, and not before it has lasted"
  )
  func counts() async throws {
    try await RunningMatching.with { matching in
      let finished = try await matching.succeed()
      try await matching.advance(to: .seconds(149 * 60))
      try await matching.settled()
      #expect(try await matching.told(SessionSucceeded.self).isEmpty)
      try await matching.advance(to: .seconds(150 * 60))
      try await Self.finish(finished, matching)
      try await Self.finish(finished, matching)
      let told = try await matching.told(SessionSucceeded.self)
      #expect(told.map(\.sessionID) == [finished.sessionID] && told.first?.timeZone == "Asia/Singapore")
      #expect(told.first?.startTime == finished.startTime && told.first?.endTime == finished.endTime)
      #expect(Set(told.first?.userIds ?? []) == [TestUser.ada.id.description, TestUser.grace.id.description])

      // In the rest of the slot another one begins, whose end no participant waits for.
      let left = try await matching.match(RunningMatching.request(in: 170, lasting: 20))
      try await matching.advance(to: .seconds(170 * 60))
      for user in [TestUser.ada, .grace] { try await matching.checkIn(left, as: user) }
      try await matching.advance(to: .seconds(190 * 60) - .microseconds(1))
      try await matching.settled()
      #expect(try await matching.told(SessionSucceeded.self).count == 1)
      try await matching.advance(to: .seconds(190 * 60))
      try await matching.settled()
      #expect(try await matching.told(SessionSucceeded.self).map(\.sessionID) == [finished, left].map(\.sessionID))
      let mine = try await matching.mine(.ada, .past)
      #expect(mine.count == 2 && mine.allSatisfy(\.finished))
      try await Self.finish(left, matching)
      #expect(try await matching.told(SessionSucceeded.self).count == 2)
    }
  }

  @Test("[MA-11] M-8: a replica whose clock is ahead does not count a session before its end")
  func countsByTrustedTime() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      // The job comes, by whatever clock, before the end.
      let now = "to_timestamp(\(matching.clock.now.microseconds) / 1000000.0)"
      try await matching.sql("update jobs set due_at = \(now), ready_at = \(now) where kind = 'finish_session'")
      try await until("it has put itself off") {
        try await matching.value("select due_at > \(now) from jobs where kind = 'finish_session'") == "t"
      }
      #expect(try await matching.told(SessionSucceeded.self).isEmpty)
      try await matching.advance(to: .seconds(180 * 60))
      try await matching.settled()
      #expect(try await matching.told(SessionSucceeded.self).map(\.sessionID) == [session.sessionID])
    }
  }

  @Test("[MA-11] M-8: a finished session frees both slots; before half of its time it cannot be finished")
  func finish() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(110 * 60))
      for user in [TestUser.ada, .grace] { try await matching.checkIn(session, as: user) }
      let early = try await refusal { try await Self.finish(session, matching) }
      #expect(early.code == .failedPrecondition && early.reason == "SESSION_NOT_STARTED")
      try await matching.advance(to: .seconds(140 * 60))
      let taken = try await refusal { try await matching.post(RunningMatching.request(in: 150)) }
      #expect(taken.reason == "SLOT_TAKEN")
      let hasty = try await refusal { try await Self.finish(session, matching) }
      #expect(hasty.code == .failedPrecondition && hasty.reason == "FINISHED_TOO_EARLY")
      try await matching.advance(to: .seconds(150 * 60))
      try await Self.finish(session, matching)
      try await Self.finish(session, matching)
      try await matching.post(RunningMatching.request(in: 151))
    }
  }
}
