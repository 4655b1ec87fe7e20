import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("races for sessions and slots", .timeLimit(.minutes(5)))
struct RaceTests {
  private static let callers = 64

  @Test("[MA-5] of 64 concurrent joins exactly one wins, and the others are told that the session is taken")
  func joins() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce((0..<Self.callers).map { .one($0) })
      let session = try await matching.post()
      let results = await matching.race(Self.callers) { sessions, number in
        try await sessions.joinSession(JoinSessionRequest(sessionID: session.sessionID), TestUser.one(number).options)
      }
      #expect(results.successes().count == 1)
      #expect(results.reasons() == Array(repeating: "SESSION_TAKEN", count: Self.callers - 1))
      #expect(try await matching.value("select count(*) from participations where active") == "2")
      #expect(try await matching.told(SessionMatched.self).count == 1)
    }
  }

  @Test("[MA-2] of 64 concurrent posts and joins of one person exactly those that do not overlap stand")
  func slots() async throws {
    try await RunningMatching.with { matching in
      // Half of the callers join sessions that others posted, half post; eight of each for each of four hours.
      var open: [Session] = []
      for hour in 0..<4 {
        for place in 0..<8 {
          let owner = TestUser.one(hour * 8 + place)
          try await matching.introduce([owner])
          open.append(try await matching.post(RunningMatching.request(in: 120 + 60 * hour), as: owner))
        }
      }
      let posted = open
      let results = await matching.race(Self.callers) { sessions, number in
        if number < 32 {
          return try await sessions.joinSession(
            JoinSessionRequest(sessionID: posted[number].sessionID), TestUser.grace.options)
        }
        return try await sessions.postSession(
          RunningMatching.request(in: 120 + 60 * (number % 4)), TestUser.grace.options)
      }
      // A join withdraws a post of before.
      #expect((4...8).contains(results.successes().count))
      #expect(Set(results.reasons()) == ["SLOT_TAKEN"])
      let taken = try await matching.sql(
        "select distinct lower(slot) from participations where user_id = '\(TestUser.grace.id)' and active")
      #expect(taken.count == 4)
    }
  }

  @Test("[MA-6] of a join and a cancellation one comes first, and the session is never both")
  func joinAgainstCancel() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce((0..<Self.callers).map { .one($0) })
      let session = try await matching.post()
      let results = await matching.race(Self.callers) { sessions, number in
        if number == 0 {
          _ = try await sessions.cancelSession(
            CancelSessionRequest(sessionID: session.sessionID), TestUser.ada.options)
          return
        }
        _ = try await sessions.joinSession(
          JoinSessionRequest(sessionID: session.sessionID), TestUser.one(number).options)
      }
      let state = try await matching.state(of: session)
      // Either it was removed first, or the winner of the join owns it, or another one joined the winner.
      #expect(["CANCELLED", "OPEN", "MATCHED"].contains(state))
      let present = try await matching.value(
        "select count(*) from participations where session_id = '\(session.sessionID)' and active")
      #expect(present == (state == "CANCELLED" ? "0" : state == "OPEN" ? "1" : "2"))
      #expect(results.successes().count >= 1)
      #expect(Set(results.reasons()).isSubset(of: ["SESSION_TAKEN", "SESSION_NOT_FOUND"]))
    }
  }

  @Test("[MA-9] of concurrent check-ins of both partners the session succeeds once")
  func checkIns() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      let results = await matching.race(32) { sessions, number in
        try await sessions.checkIn(
          CheckInRequest(sessionID: session.sessionID, point: TestGym.raffles.wire, accuracyM: 5),
          (number.isMultiple(of: 2) ? TestUser.ada : .grace).options)
      }
      #expect(results.successes().count == 32)
      #expect(try await matching.told(SessionStarted.self).count == 1)
      #expect(try await matching.told(CheckedIn.self).count == 2)
      #expect(try await matching.value("select sum(attended) from users") == "2")
    }
  }

  @Test("[MA-11] of concurrent feedback of one participant one is stored")
  func feedback() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      try await matching.advance(to: .seconds(150 * 60))
      _ = try await matching.sessions.finishSession(
        FinishSessionRequest(sessionID: session.sessionID), TestUser.ada.options)
      let results = await matching.race(16) { sessions, _ in
        try await sessions.submitFeedback(
          SubmitFeedbackRequest(sessionID: session.sessionID, rating: 4), TestUser.ada.options)
      }
      #expect(results.successes().count == 1)
      #expect(Set(results.reasons()) == ["FEEDBACK_GIVEN"])
      #expect(
        try await matching.value("select rating_count from users where id = '\(TestUser.grace.id)'") == "1")
    }
  }
}
