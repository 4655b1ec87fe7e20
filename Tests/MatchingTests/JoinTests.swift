import Blocks
import Identifiers
import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("joining and cancelling sessions")
struct JoinTests {
  @Test("[MA-5] a joined session is matched, told, and in nobody's results")
  func join() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      #expect(session.matched && session.state == .matched && session.partner?.username == "grace.h")
      let told = try await matching.told(SessionMatched.self)
      #expect(told.map(\.partnerID) == [TestUser.grace.id.description])
      let found = try await matching.browse(BrowseSessionsRequest(gymID: TestGym.raffles.id.description), as: .kim)
      #expect(found.isEmpty)
    }
  }

  @Test(
    "[MA-5] own, taken and started sessions, the gender preference and the level gate are refused, each with its reason"
  )
  func refusals() async throws {
    try await RunningMatching.with { matching in
      let own = try await matching.post(RunningMatching.request(genders: [.female]))
      let ownRefusal = try await refusal { try await matching.join(own, as: .ada) }
      #expect(ownRefusal.code == .failedPrecondition && ownRefusal.reason == "OWN_SESSION")
      let gender = try await refusal { try await matching.join(own, as: .alan) }
      #expect(gender.code == .failedPrecondition && gender.reason == "GENDER_NOT_ADMITTED")
      try await matching.join(own)
      try await matching.introduce([.one(1)])
      let taken = try await refusal { try await matching.join(own, as: .one(1)) }
      #expect(taken.code == .failedPrecondition && taken.reason == "SESSION_TAKEN")
      let novice = try await matching.post(RunningMatching.request(in: 300, level: .intermediate))
      let level = try await refusal { try await matching.join(novice, as: .kim) }
      #expect(level.code == .failedPrecondition && level.reason == "LEVEL_TOO_LOW")
      try await matching.advance(to: .seconds(300 * 60))
      let started = try await refusal { try await matching.join(novice, as: .grace) }
      #expect(started.code == .failedPrecondition && started.reason == "SESSION_STARTED")
      let gone = try await refusal {
        try await matching.sessions.joinSession(
          JoinSessionRequest(sessionID: "\(TestUser.ada.id)"), TestUser.ada.options)
      }
      #expect(gone.code == .notFound && gone.reason == "SESSION_NOT_FOUND")
    }
  }

  @Test("[MA-5] a session says why it cannot be joined before one tries")
  func obstacles() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post(RunningMatching.request(genders: [.female], level: .novice))
      let view = try await matching.sessions.getSession(
        GetSessionRequest(sessionID: session.sessionID), TestUser.alan.options)
      #expect(view.joinObstacles == [.genderNotAdmitted, .levelTooLow])
      try await matching.join(matching.post(RunningMatching.request(in: 150), as: .kim), as: .grace)
      let busy = try await matching.sessions.getSession(
        GetSessionRequest(sessionID: session.sessionID), TestUser.grace.options)
      #expect(busy.joinObstacles == [.slotTaken])
      let found = try await matching.browse(BrowseSessionsRequest(focuses: [.strength]))
      #expect(found.map(\.session?.joinObstacles) == [[.slotTaken]])
    }
  }

  @Test("[C-11] a join or a cancellation with a stale etag is ABORTED, and one with a text that is no etag")
  func staleEtag() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      for etag in ["zz", "0\(session.etag)", "+\(session.etag)", "-1", "no etag"] {
        let stale = try await refusal {
          try await matching.sessions.joinSession(
            JoinSessionRequest(sessionID: session.sessionID, etag: etag), TestUser.grace.options)
        }
        #expect(stale.code == .aborted && stale.reason == "SESSION_CHANGED", "\(etag)")
      }
      let joined = try await matching.sessions.joinSession(
        JoinSessionRequest(sessionID: session.sessionID, etag: session.etag), TestUser.grace.options)
      #expect(joined.etag != session.etag)
      let late = try await refusal {
        try await matching.sessions.cancelSession(
          CancelSessionRequest(sessionID: session.sessionID, etag: session.etag), TestUser.ada.options)
      }
      #expect(late.code == .aborted)
    }
  }

  @Test("[MA-6] M-10: an unmatched session that is cancelled is removed, and who joins it is told that there is none")
  func cancelOpen() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let stranger = try await refusal { try await matching.cancel(session, as: .grace) }
      #expect(stranger.code == .notFound)
      #expect(try await matching.cancel(session, as: .ada).barEndTime == nil)
      #expect(try await matching.mine(.ada).isEmpty)
      let gone = try await refusal {
        try await matching.sessions.getSession(GetSessionRequest(sessionID: session.sessionID), TestUser.ada.options)
      }
      #expect(gone.code == .notFound)
      #expect(try await refusal { try await matching.join(session) }.reason == "SESSION_NOT_FOUND")
      #expect(try await refusal { try await matching.cancel(session, as: .ada) }.reason == "SESSION_OVER")
    }
  }

  @Test("[MA-6] a matched session loses the canceller, reappears, and the partner is notified")
  func cancelMatched() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.cancel(session, as: .grace)
      let found = try await matching.browse(BrowseSessionsRequest(gymID: TestGym.raffles.id.description), as: .kim)
      #expect(found.map(\.session?.sessionID) == [session.sessionID])
      #expect(try await matching.mine(.grace).isEmpty)
      let notices = try await matching.told(NotificationRequested.self)
        .filter { if case .sessionCancelled = $0.news { true } else { false } }
      #expect(notices.map(\.recipientIds) == [[TestUser.ada.id.description]])
      guard case .sessionCancelled(let news) = notices.first?.news else {
        Issue.record("another notification")
        return
      }
      #expect(news.partnerID == TestUser.grace.id.description)
    }
  }

  @Test("[MA-6] when the creator cancels, the partner becomes the owner")
  func creatorCancels() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.cancel(session, as: .ada)
      let mine = try await matching.mine(.grace)
      #expect(mine.map(\.state) == [.open] && mine.first?.owner?.userID == TestUser.grace.id.description)
      #expect(mine.first?.partner == nil && mine.first?.level == .advanced)
      #expect(try await matching.join(session, as: .ada).partner?.username == "ada", "it can be joined again")
    }
  }

  @Test("[MA-6] after the start, or after a check-in, cancelling is refused")
  func cancelLate() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(110 * 60))
      try await matching.checkIn(session, as: .ada)
      let after = try await refusal { try await matching.cancel(session, as: .grace) }
      #expect(after.code == .failedPrecondition && after.reason == "CHECKED_IN")
      let other = try await matching.post(RunningMatching.request(in: 300), as: .kim)
      try await matching.advance(to: .seconds(300 * 60))
      let started = try await refusal { try await matching.cancel(other, as: .kim) }
      #expect(started.code == .failedPrecondition && started.reason == "SESSION_STARTED")
    }
  }

  @Test(
    "[MA-7] less than 60 minutes before the start a cancellation bars for 24 hours; exactly 60 do not",
    arguments: [(Duration.seconds(3_600), false), (.seconds(3_599), true)])
  func notice(before start: Duration, isBarred: Bool) async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60) - start)
      let end = try await matching.cancel(session, as: .grace).barEndTime
      #expect((end != nil) == isBarred)
      guard isBarred else {
        try await matching.join(session)
        return
      }
      let barEnd = matching.clock.now + .seconds(24 * 3_600)
      #expect(end == barEnd.timestamp)
      for attempt in 0..<2 {
        let refused = try await refusal {
          if attempt == 0 { return try await matching.join(session) }
          return try await matching.post(RunningMatching.request(in: 3_000), as: .grace)
        }
        #expect(refused.code == .failedPrecondition && refused.reason == "BARRED")
        #expect(refused.errorInfo?.metadata["bar_end_time"] == "\(barEnd)")
      }
      let view = try await matching.sessions.getSession(
        GetSessionRequest(sessionID: session.sessionID), TestUser.grace.options)
      #expect(view.joinObstacles == [.barred])
      try await matching.advance(by: .seconds(24 * 3_600 - 1))
      #expect(
        try await refusal { try await matching.post(RunningMatching.request(in: 3_000), as: .grace) }.reason == "BARRED"
      )
      try await matching.advance(by: .seconds(1))
      try await matching.post(RunningMatching.request(in: 3_000), as: .grace)
    }
  }

  @Test("[MA-7] of two bars the later end counts")
  func twoBars() async throws {
    try await RunningMatching.with { matching in
      let (first, second) = (try await matching.match(), try await matching.match(RunningMatching.request(in: 200)))
      try await matching.advance(to: .seconds(119 * 60))
      try await matching.cancel(first, as: .grace)
      try await matching.advance(to: .seconds(199 * 60))
      let end = try await matching.cancel(second, as: .grace).barEndTime
      let refused = try await refusal { try await matching.post(RunningMatching.request(in: 3_000), as: .grace) }
      #expect(refused.errorInfo?.metadata["bar_end_time"] == "\(try Instant(wire: #require(end)))")
      let bars = try await matching.sessions.listMyBars(ListMyBarsRequest(), TestUser.grace.options).bars
      #expect(bars.map(\.sessionID) == [second.sessionID, first.sessionID])
      #expect(bars.map(\.cause) == [.lateCancellation, .lateCancellation])
    }
  }

  @Test("[C-10] users of whom one has blocked the other neither see nor join each other's sessions")
  func blocks() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      for (blocker, blocked) in [(TestUser.ada, TestUser.grace), (.grace, .ada)] {
        let block = Block(of: blocked.id, by: blocker.id)
        try await matching.own.write(AddBlocks([block]))
        #expect(try await matching.browse(BrowseSessionsRequest(focuses: [.strength])).isEmpty)
        #expect(try await refusal { try await matching.join(session) }.reason == "SESSION_NOT_FOUND")
        let hidden = try await refusal {
          try await matching.sessions.getMatchingProfile(
            GetMatchingProfileRequest(userID: TestUser.ada.id.description), TestUser.grace.options)
        }
        #expect(hidden.reason == "USER_NOT_FOUND")
        try await matching.own.write(RemoveBlocks([block]))
      }
      try await matching.join(session)
    }
  }
}
