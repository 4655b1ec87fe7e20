import Environment
import Identifiers
import TTRPC
import TandemMatching
import TestSupport
import Testing
import Timestamps

/// The programs themselves, whose clocks are set forward by libfaketime, and that of the database server.
@Suite("a no-show, by the clock of the real programs", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct NoShowJourneyTests {
  @Test(
    "[MA-8] [MA-10] [MA-14] of two partners one checks in: the session fails, the other is barred with cause and end, and no longer"
  )
  func noShow() async throws {
    try await TrainingStage.with { stage, services in
      let (ada, grace) = (try await stage.trainee("ada"), try await stage.trainee("grace"))
      let gym = try await stage.three.gym(at: TrainingStage.point)
      let start = Instant(microseconds: (stage.now.wholeSeconds + 3_600) * 1_000_000)
      let session = try await stage.post(in: gym, at: start, as: ada)
      _ = try await stage.join(session, as: grace)

      try await stage.advance(to: start - .seconds(20 * 60))
      let present = try await stage.three.loginAgain(ada)
      let early = try await refusal { try await stage.checkIn(session, as: present) }
      #expect(early.reason == "OUTSIDE_CHECK_IN_WINDOW")
      try await stage.advance(to: start - .seconds(14 * 60))
      #expect(try await stage.checkIn(session, as: present).state == .matched)
      try await stage.advance(to: start + .seconds(15 * 60))
      try await until("the session is judged") {
        try await stage.three.value("select state from matching.sessions where id = '\(session.sessionID)'") == "FAILED"
      }

      // The access token of before has expired.
      let absent = try await stage.three.loginAgain(grace)
      let bars = try await stage.sessions.listMyBars(ListMyBarsRequest(), absent.options).bars
      let end = start + .seconds(15 * 60 + 72 * 3_600)
      #expect(bars.map(\.cause) == [.noShow] && bars.map(\.sessionID) == [session.sessionID])
      #expect(bars.map(\.endTime) == [end.timestamp])
      let other = try await stage.three.loginAgain(ada)
      #expect(try await stage.sessions.listMyBars(ListMyBarsRequest(), other.options).bars.isEmpty)
      try await until("the absent one is notified") {
        try await stage.three.inbox(of: absent).contains("You did not check in")
      }
      let next = try await stage.post(in: gym, at: end + .seconds(86_400), as: other)
      let barred = try await refusal { try await stage.join(next, as: absent) }
      #expect(barred.reason == "BARRED" && barred.errorInfo?.metadata["bar_end_time"] == "\(end)")

      try await stage.advance(to: end - .seconds(300))
      let again = try await stage.three.loginAgain(grace)
      #expect(try await refusal { try await stage.join(next, as: again) }.reason == "BARRED")
      try await stage.advance(to: end)
      #expect(try await stage.join(next, as: again).matched)
    }
  }

  @Test("[MA-10] nobody is barred when the programs were down while the check-ins were to come")
  func downtime() async throws {
    try await TrainingStage.with { stage, services in
      let (ada, grace) = (try await stage.trainee("ada"), try await stage.trainee("grace"))
      let gym = try await stage.three.gym(at: TrainingStage.point)
      let start = Instant(microseconds: (stage.now.wholeSeconds + 3_600) * 1_000_000)
      let session = try await stage.post(in: gym, at: start, as: ada)
      _ = try await stage.join(session, as: grace)

      try await until("matching was up") { try await stage.three.value("select 1 from matching.heartbeat") == "1" }
      services.stop("matching")
      try await stage.advance(to: start + .seconds(20 * 60), .wasDown)
      try services.start("matching")
      try await until("the session is judged") {
        try await stage.three.value("select state from matching.sessions where id = '\(session.sessionID)'") == "FAILED"
      }
      #expect(try await stage.three.value("select count(*) from matching.bars") == "0")
      #expect(try await stage.three.value("select sum(missed) from matching.users") == "0")
      #expect(try await stage.three.value("select count(*) from matching.outages") == "1")
    }
  }
}

extension TrainingStage {
  /// Posts a session, repeating the call until matching knows the token.
  fileprivate func post(in gym: String, at start: Instant, as user: ThreeServices.Member) async throws
    -> TandemMatching.Session
  {
    let request = PostSessionRequest(
      startTime: start.timestamp, endTime: (start + .seconds(3_600)).timestamp, gymID: gym, focus: .cardio,
      level: .advanced)
    return try await eventually("matching accepts the token") {
      do { return try await sessions.postSession(request, user.options) } catch let status as Status
        where status.code == .unavailable
      { return nil }
    }
  }

  fileprivate func join(_ session: TandemMatching.Session, as user: ThreeServices.Member) async throws
    -> TandemMatching.Session
  {
    try await sessions.joinSession(JoinSessionRequest(sessionID: session.sessionID), user.options)
  }

  fileprivate func checkIn(_ session: TandemMatching.Session, as user: ThreeServices.Member) async throws
    -> TandemMatching.Session
  {
    try await sessions.checkIn(
      CheckInRequest(sessionID: session.sessionID, point: Self.point, accuracyM: 5), user.options)
  }
}
