import Blocks
import GoogleType
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("corners of matching", .timeLimit(.minutes(5)))
struct CornerTests {
  @Test("[MA-8] a check-in that arrived within the window counts although it waits for a lock until after it")
  func waitingCheckIn() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(135 * 60))
      try await matching.checkIn(session, as: .grace)
      let second = try await LockTests.holding(.ada, matching) {
        try await matching.checkIn(session, as: .ada)
      } whileWaiting: { _ in
        try await matching.advance(to: .seconds(136 * 60))
        try await until("the judgement, which is due, waits for the check-in") {
          try await matching.value(
            "select count(*) > 0 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"
          ) == "t"
        }
      }
      #expect(second.state == .successful)
      try await matching.settled()
      #expect(try await matching.state(of: session) == "SUCCESSFUL")
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }

  @Test("[MA-11] M-8: an author counts once for a recipient, by the latest rating")
  func oneRating() async throws {
    try await RunningMatching.with { matching in
      for (minutes, rating) in [(120, 5), (300, 2)] {
        let session = try await matching.match(RunningMatching.request(in: minutes))
        try await matching.advance(to: .seconds(minutes * 60))
        for user in [TestUser.ada, .grace] { try await matching.checkIn(session, as: user) }
        try await matching.advance(to: .seconds((minutes + 60) * 60))
        _ = try await matching.sessions.submitFeedback(
          SubmitFeedbackRequest(sessionID: session.sessionID, rating: Int32(rating)), TestUser.ada.options)
      }
      let profile = try await matching.sessions.getMatchingProfile(
        GetMatchingProfileRequest(userID: TestUser.grace.id.description), TestUser.kim.options)
      #expect(profile.ratingCount == 1 && profile.meanRating == 2)
      #expect(
        try await matching.sessions.listFeedback(ListFeedbackRequest(), TestUser.grace.options).feedback.count == 2)
    }
  }

  @Test("[MA-11] [C-10] M-9: remarks do not reach who has blocked their author; the rating counts")
  func blockedRemarks() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      try await matching.advance(to: .seconds(180 * 60))
      try await matching.own.write(AddBlocks([Block(of: TestUser.ada.id, by: TestUser.grace.id)]))
      _ = try await matching.sessions.submitFeedback(
        SubmitFeedbackRequest(sessionID: session.sessionID, rating: 1, remarks: "You again"), TestUser.ada.options)
      let received = try await matching.sessions.listFeedback(ListFeedbackRequest(), TestUser.grace.options).feedback
      #expect(received.map(\.remarks) == [""] && received.map(\.rating) == [1])
    }
  }

  @Test("[MA-17] M-6: an offered place passes on when its holder deletes the account, or is blocked")
  func freedOffers() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce([.one(1), .one(2)])
      let session = try await matching.match()
      for user in [TestUser.kim, .one(1), .one(2)] { try await matching.wait(for: session, as: user) }
      try await matching.cancel(session, as: .grace)
      try await CleanupTests.delete(.kim, matching)
      #expect(
        try await matching.offered() == [TestUser.kim.id.description, TestUser.one(1).id.description])
      try await matching.block(.one(1), by: .ada)
      #expect(try await matching.offered().last == TestUser.one(2).id.description)
      #expect(try await matching.value("select offered_to from sessions") == TestUser.one(2).id.description)
    }
  }

  @Test(
    "[MA-17] [C-10] M-6: a waiting list hides the session from who is blocked, and passes them over without removing them"
  )
  func hiddenList() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      for user in [TestUser.kim, .alan] { try await matching.wait(for: session, as: user) }
      let block = Block(of: TestUser.kim.id, by: TestUser.grace.id)
      try await matching.own.write(AddBlocks([block]))
      #expect(try await matching.waiting(.kim).isEmpty)
      #expect(try await matching.waiting(.alan).map(\.place) == [2])
      try await matching.cancel(session, as: .ada)
      #expect(try await matching.offered() == [TestUser.alan.id.description])
      try await matching.own.write(RemoveBlocks([block]))
      #expect(try await matching.waiting(.kim).count == 1)
    }
  }

  @Test("[MA-12] M-10: cancelled sessions are listed to who cancelled them, in pages")
  func cancelledList() async throws {
    try await RunningMatching.with { matching in
      var ids: [String] = []
      for minutes in [120, 200, 300] {
        let session = try await matching.post(RunningMatching.request(in: minutes))
        try await matching.cancel(session, as: .ada)
        ids.append(session.sessionID)
      }
      var (found, call) = ([String](), ListMySessionsRequest(state: .cancelled, pageSize: 2))
      repeat {
        let page = try await matching.sessions.listMySessions(call, TestUser.ada.options)
        found += page.sessions.map(\.sessionID)
        call.pageToken = page.nextPageToken
      } while !call.pageToken.isEmpty
      #expect(found == ids)
      #expect(try await matching.mine(.ada).isEmpty)
      try await matching.advance(to: .seconds(400 * 60))
      let past = try await matching.sessions.listMySessions(
        ListMySessionsRequest(time: .past, state: .cancelled), TestUser.ada.options)
      #expect(past.sessions.map(\.sessionID) == ids.reversed())
    }
  }

  @Test("[MA-19] M-10: 29 B10: a session of a series is not repeated again, an inherited one is, and seconds stay")
  func repetitions() async throws {
    try await RunningMatching.with { matching in
      var call = RunningMatching.request()
      let start = RunningMatching.start + Duration.seconds(120 * 60 + 45)
      (call.startTime, call.endTime) = (start.timestamp, (start + .seconds(3_600)).timestamp)
      let session = try await matching.post(call)
      let repetition = try await matching.repeated(session)
      #expect(repetition.localTime?.seconds == 45)
      try await matching.advance(by: start - matching.clock.now)
      try await matching.settled()
      let starts = try await matching.sql("select extract(second from starts_at)::integer::text from sessions")
      #expect(starts == [["45"], ["45"]])
      let next = try #require(
        try await matching.mine(.ada).first { $0.sessionID != session.sessionID })
      #expect(try await refusal { try await matching.repeated(next) }.reason == "ALREADY_REPEATED")
      try await matching.join(next)
      try await matching.cancel(next, as: .ada)
      try await matching.repeated(next, as: .grace)
      #expect(try await matching.repetitions.listRepetitions(.init(), TestUser.grace.options).repetitions.count == 1)
    }
  }

  @Test("[MA-7] M-10: a late cancellation of a match counts as missed, an early one and that of a post do not")
  func missed() async throws {
    try await RunningMatching.with { matching in
      let (late, early) = (try await matching.match(), try await matching.match(RunningMatching.request(in: 1_000)))
      try await matching.cancel(early, as: .grace)
      try await matching.advance(to: .seconds(90 * 60))
      try await matching.cancel(late, as: .grace)
      try await matching.cancel(late, as: .ada)
      #expect(
        try await matching.sql("select missed::text from users order by id limit 2") == [["0"], ["1"]])
    }
  }

  @Test("[MA-13] M-10: off and on at one point of the map is no move")
  func offAndOn() async throws {
    try await RunningMatching.with { matching in
      try await matching.list(.ada, 1.3, 103.8)
      for _ in 0..<25 {
        _ = try await matching.partners.removePartnerListing(.init(), TestUser.ada.options)
        try await matching.list(.ada, 1.3, 103.8)
      }
      #expect(try await matching.value("select moves from partner_listings") == "1")
    }
  }

  @Test("[C-2] M-10: a saved search names an unknown zone, two places and what is wrong with each at once")
  func searchFields() async throws {
    try await RunningMatching.with { matching in
      let refused = try await refusal {
        try await matching.save(
          SearchFilter(
            weekdays: [.monday, .monday], timeZone: "Mars/Base", gymID: "?", point: .init(latitude: 91), radiusM: -1,
            focuses: [.unspecified]))
      }
      #expect(
        Set(refused.fieldReasons) == [
          "SLOT_INVALID", "TIME_ZONE_INVALID", "GYM_ID_INVALID", "PLACE_AMBIGUOUS", "POINT_INVALID", "RADIUS_INVALID",
          "FOCUSES_INVALID",
        ])
    }
  }

  @Test("[C-2] M-10: what is unspecified is refused by browsing as by posting")
  func unspecified() async throws {
    try await RunningMatching.with { matching in
      let refused = try await refusal {
        try await matching.browse(
          BrowseSessionsRequest(focuses: [.strength, .unspecified], genders: [.unspecified], levels: [.unspecified]))
      }
      #expect(refused.fieldReasons == ["FOCUSES_INVALID", "GENDERS_INVALID", "LEVELS_INVALID"])
    }
  }

  @Test("[MA-11] M-10: an unspecified adjective is named as such, and the words about remarks are English")
  func words() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.succeed()
      let refused = try await refusal {
        try await matching.sessions.submitFeedback(
          SubmitFeedbackRequest(
            sessionID: session.sessionID, rating: 5, adjectives: [.unspecified],
            remarks: String(repeating: "x", count: 1_001)), TestUser.ada.options)
      }
      let told = refused.badRequest?.fieldViolations.map(\.description) ?? []
      #expect(told.contains { $0.contains("not specified") })
      #expect(told.contains { $0.hasPrefix("The text of the remarks has") }, "\(told)")
    }
  }
}
