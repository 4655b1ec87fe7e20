import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("while other services are down", .timeLimit(.minutes(5)))
struct DowntimeTests {
  private static let requestID = "7b8c2f0e-3d55-4a51-9d4c-6d2c3c0f9a11"

  @Test("[MA-5] while profiles cannot be looked up, what needs them is UNAVAILABLE and nothing half done")
  func identity() async throws {
    try await RunningMatching.with { matching in
      let (session, open) = (try await matching.match(), try await matching.post(Self.later(400), as: .kim))
      try await matching.forgetProfiles()
      matching.neighbours.areDown.withLock { $0 = true }
      var post = Self.later(600)
      post.requestID = Self.requestID
      let join = JoinSessionRequest(sessionID: open.sessionID, requestID: Self.requestID)
      let wait = JoinWaitingListRequest(sessionID: session.sessionID, requestID: Self.requestID)
      let request = post
      let refused = [
        try await refusal { try await matching.sessions.postSession(request, TestUser.grace.options) },
        try await refusal { try await matching.sessions.joinSession(join, TestUser.grace.options) },
        try await refusal { try await matching.waitingLists.joinWaitingList(wait, TestUser.alan.options) },
        try await refusal { try await matching.browse(BrowseSessionsRequest(focuses: [.strength])) },
        try await refusal {
          try await matching.sessions.getSession(GetSessionRequest(sessionID: open.sessionID), TestUser.grace.options)
        },
      ]
      #expect(refused.map(\.reason) == Array(repeating: "IDENTITY_UNAVAILABLE", count: 5))
      #expect(refused.allSatisfy { $0.code == .unavailable && $0.retryAfter != nil })
      #expect(try await matching.value("select count(*) from sessions") == "2")
      #expect(try await matching.value("select count(*) from participations") == "3")
      #expect(try await matching.value("select count(*) from waiting_list") == "0")
      #expect(try await matching.value("select count(*) from replays") == "0")

      matching.neighbours.areDown.withLock { $0 = false }
      matching.neighbours.traits.withLock {
        for user in [TestUser.grace, .alan] {
          $0[user.id.description] = .init(
            userID: user.id.description, gender: .female, level: .expert, updateTime: matching.clock.now.timestamp)
        }
      }
      _ = try await matching.sessions.postSession(request, TestUser.grace.options)
      #expect(try await matching.sessions.joinSession(join, TestUser.grace.options).matched)
      #expect(try await matching.waitingLists.joinWaitingList(wait, TestUser.alan.options).place == 1)
      // A repeated request asks no service.
      try await matching.forgetProfiles()
      matching.neighbours.areDown.withLock { $0 = true }
      #expect(try await matching.sessions.joinSession(join, TestUser.grace.options).matched)
      #expect(try await matching.waitingLists.joinWaitingList(wait, TestUser.alan.options).place == 1)
    }
  }

  @Test(
    "[MA-8] [MA-11] while the catalog and identity are down, what needs neither is answered, from check-in to feedback")
  func rest() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      let other = try await matching.match(Self.later(400))
      try await matching.forgetProfiles()
      matching.neighbours.gyms.withLock { $0.removeAll() }
      matching.neighbours.areDown.withLock { $0 = true }

      #expect(try await matching.mine(.grace).count == 2)
      let view = try await matching.sessions.getSession(
        GetSessionRequest(sessionID: session.sessionID), TestUser.grace.options)
      #expect(view.gym?.name == "Gym")
      try await matching.cancel(other, as: .grace)
      try await matching.save(SearchFilter(gymID: TestGym.raffles.id.description))
      try await matching.list(.ada, 1.3, 103.8)
      #expect(try await matching.find(near: 1.3, 103.8).map(\.username) == ["ada"])
      _ = try await matching.calendar(try await matching.link().token)
      try await matching.advance(to: .seconds(120 * 60))
      for user in [TestUser.ada, .grace] { try await matching.checkIn(session, as: user) }
      try await matching.advance(to: .seconds(150 * 60))
      _ = try await matching.sessions.finishSession(
        FinishSessionRequest(sessionID: session.sessionID), TestUser.ada.options)
      _ = try await matching.sessions.submitFeedback(
        SubmitFeedbackRequest(sessionID: session.sessionID, rating: 5), TestUser.ada.options)
      let profile = try await matching.sessions.getMatchingProfile(
        GetMatchingProfileRequest(userID: TestUser.grace.id.description), TestUser.ada.options)
      #expect(profile.ratingCount == 1)
      #expect(try await matching.sessions.listMyBars(ListMyBarsRequest(), TestUser.grace.options).bars.isEmpty)
    }
  }

  @Test(
    "[MA-1] [MA-6] weekly sessions are posted and places offered while the others are down and the gym has vanished")
  func jobs() async throws {
    try await RunningMatching.with { matching in
      let (weekly, full) = (try await matching.post(), try await matching.match(Self.later(400)))
      try await matching.repeated(weekly)
      try await matching.wait(for: full, as: .kim)
      try await matching.forgetProfiles()
      matching.neighbours.gyms.withLock { $0.removeAll() }
      matching.neighbours.areDown.withLock { $0 = true }
      try await matching.cancel(full, as: .grace)
      #expect(try await matching.offered() == [TestUser.kim.id.description])
      try await matching.advance(to: .seconds(120 * 60))
      #expect(try await matching.localStarts() == ["01-15 22:00", "01-16 02:40", "01-22 22:00"])
      #expect(try await matching.value("select count(distinct gym_name) from sessions") == "1")
    }
  }

  private static func later(_ minutes: Int) -> PostSessionRequest { RunningMatching.request(in: minutes) }
}
