import Identifiers
import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("posting sessions")
struct PostTests {
  @Test("[MA-1] a posted session is unmatched, keeps what it is and where, and is told")
  func post() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post(RunningMatching.request(genders: [.female, .other]))
      #expect(!session.matched && session.state == .open && session.partner == nil)
      #expect(session.gym?.name == "Gym" && session.gym?.timeZone == "Asia/Singapore")
      #expect(session.genders == [.female, .other] && session.focus == .strength && session.level == .expert)
      #expect(session.owner?.username == "ada" && session.joinObstacles == [.ownSession])
      let told = try await matching.told(SessionPosted.self)
      #expect(told.map(\.sessionID) == [session.sessionID])
    }
  }

  @Test(
    "[MA-1] the slot's bounds: a start in the future, 60 days ahead, 15 minutes and 8 hours",
    arguments: [
      (Duration.microseconds(1), 60 * 60, true), (.zero, 60 * 60, false), (.seconds(-1), 60 * 60, false),
      (.seconds(60 * 86_400), 60 * 60, true), (.seconds(60 * 86_400) + .microseconds(1), 60 * 60, false),
      (.seconds(60), 15 * 60, true), (.seconds(60), 15 * 60 - 1, false), (.seconds(60), 8 * 3_600, true),
      (.seconds(60), 8 * 3_600 + 1, false), (.seconds(60), 0, false), (.seconds(60), -60, false),
    ])
  func bounds(ahead: Duration, seconds: Int, isAllowed: Bool) async throws {
    try await RunningMatching.with { matching in
      var request = RunningMatching.request()
      let start = matching.clock.now + ahead
      request.startTime = start.timestamp
      request.endTime = (start + .seconds(seconds)).timestamp
      let wanted = request
      if isAllowed {
        _ = try await matching.sessions.postSession(wanted, TestUser.ada.options)
      } else {
        let refused = try await refusal { try await matching.sessions.postSession(wanted, TestUser.ada.options) }
        #expect(refused.code == .invalidArgument && refused.fieldReasons == ["SLOT_INVALID"])
        #expect(try await matching.value("select count(*) from sessions") == "0")
      }
    }
  }

  @Test("[MA-1] [C-2] every bad field is named at once, and nothing is stored")
  func badFields() async throws {
    try await RunningMatching.with { matching in
      let refused = try await refusal {
        try await matching.sessions.postSession(
          PostSessionRequest(gymID: "gym", genders: [.female, .female], requestID: "x"), TestUser.ada.options)
      }
      #expect(
        refused.fields == ["request_id", "start_time", "end_time", "gym_id", "focus", "level", "genders"])
      #expect(try await matching.value("select count(*) from sessions") == "0")
    }
  }

  @Test("[MA-1] a gym that the catalog does not have is refused; a session keeps one that vanishes later")
  func vanishedGym() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      matching.neighbours.gyms.withLock { $0.removeAll() }
      let refused = try await refusal { try await matching.post(RunningMatching.request(in: 500)) }
      #expect(refused.code == .notFound && refused.reason == "GYM_NOT_FOUND")
      #expect(try await matching.join(session).gym?.name == "Gym")
    }
  }

  @Test("[MA-1] without the catalog nothing is posted and nothing half done; what needs no other service is answered")
  func downtime() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      matching.neighbours.areDown.withLock { $0 = true }
      let refused = try await refusal { try await matching.post(RunningMatching.request(in: 500)) }
      #expect(refused.code == .unavailable && refused.reason == "CATALOG_UNAVAILABLE")
      #expect(refused.retryAfter != nil)
      let stranger = try await refusal { try await matching.join(session, as: .one(9)) }
      #expect(stranger.code == .unavailable && stranger.reason == "IDENTITY_UNAVAILABLE")
      #expect(try await matching.value("select count(*) from sessions") == "1")
      #expect(try await matching.mine(.grace).count == 1)
      try await matching.cancel(session, as: .grace)
    }
  }

  @Test(
    "[MA-1] [ID-20] a user without a gym part is told to create one; one whose profile is not known yet is looked up")
  func profiles() async throws {
    try await RunningMatching.with { matching in
      let user = TestUser.one(1)
      let refused = try await refusal { try await matching.post(as: user) }
      #expect(refused.code == .failedPrecondition && refused.reason == "GYM_PROFILE_MISSING")
      matching.neighbours.traits.withLock {
        $0[user.id.description] = .init(
          userID: user.id.description, gender: .male, level: .beginner, updateTime: matching.clock.now.timestamp)
      }
      _ = try await matching.post(as: user)
      #expect(
        try await matching.value("select gender || level from users where id = '\(user.id)'") == "MALEBEGINNER")
    }
  }

  @Test(
    "[MA-2] refuses a slot that overlaps one of the caller's by a minute, and takes one that touches it",
    arguments: [
      (59, 60, false), (60, 60, true), (180, 60, true), (179, 60, false), (130, 15, false), (100, 200, false),
    ])
  func overlap(start: Int, length: Int, isAllowed: Bool) async throws {
    try await RunningMatching.with { matching in
      try await matching.post(RunningMatching.request(in: 120, lasting: 60))
      let wanted = RunningMatching.request(in: start, lasting: length + (start == 59 ? 2 : 0))
      if isAllowed {
        try await matching.post(wanted)
      } else {
        let refused = try await refusal { try await matching.post(wanted) }
        #expect(refused.code == .failedPrecondition && refused.reason == "SLOT_TAKEN")
        #expect(
          refused.message == "You already have a session in this time slot. Please choose another time slot.")
      }
    }
  }

  @Test("[MA-2] a joined session takes the slot as an own one does, and a cancelled one frees it")
  func joinedOverlap() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      let refused = try await refusal { try await matching.post(as: .grace) }
      #expect(refused.reason == "SLOT_TAKEN")
      try await matching.cancel(session, as: .grace)
      try await matching.post(as: .grace)
    }
  }

  @Test("[C-4] [C-6] a repeated post is answered as the first was, and a validated one stores nothing")
  func repeated() async throws {
    try await RunningMatching.with { matching in
      var request = RunningMatching.request()
      request.validateOnly = true
      try await matching.post(request)
      #expect(try await matching.value("select count(*) from sessions") == "0")
      request.validateOnly = false
      request.requestID = "7b8c2f0e-3d55-4a51-9d4c-6d2c3c0f9a11"
      let first = try await matching.post(request)
      matching.neighbours.areDown.withLock { $0 = true }
      #expect(try await matching.post(request).sessionID == first.sessionID)
      #expect(try await matching.value("select count(*) from sessions") == "1")
    }
  }

  @Test("[C-4] a repeated post has its first answer though the session has begun meanwhile")
  func repeatedAfterStart() async throws {
    try await RunningMatching.with { matching in
      var request = RunningMatching.request()
      request.requestID = "7b8c2f0e-3d55-4a51-9d4c-6d2c3c0f9a11"
      let first = try await matching.post(request)
      matching.clock.advance(by: .seconds(121 * 60))
      #expect(try await matching.post(request) == first)
    }
  }
}
