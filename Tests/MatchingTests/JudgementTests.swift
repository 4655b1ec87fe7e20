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

@Suite("judging sessions")
struct JudgementTests {
  @Test(
    "[MA-10] at 15:00 after the start a session is not judged, at 15:01 it has failed, and the absent one is barred for 72 hours and told"
  )
  func failure() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      try await matching.checkIn(session, as: .ada)
      try await matching.advance(to: .seconds(135 * 60))
      try await matching.settled()
      #expect(try await matching.state(of: session) == "MATCHED")
      try await matching.advance(to: .seconds(135 * 60 + 1))
      try await matching.settled()
      #expect(try await matching.state(of: session) == "FAILED")
      let bars = try await matching.sessions.listMyBars(ListMyBarsRequest(), TestUser.grace.options).bars
      let end: Instant = RunningMatching.start + Duration.seconds(267_300)
      #expect(bars.map(\.cause) == [.noShow])
      #expect(bars.map(\.endTime) == [end.timestamp])
      #expect(try await matching.sessions.listMyBars(ListMyBarsRequest(), TestUser.ada.options).bars.isEmpty)
      let notices = try await matching.told(NotificationRequested.self).filter {
        if case .checkInMissed = $0.news { true } else { false }
      }
      #expect(notices.map(\.recipientIds) == [[TestUser.grace.id.description]])
      let told = try await matching.told(SessionFailed.self)
      #expect(told.map(\.absentUserIds) == [[TestUser.grace.id.description]] && told.map(\.barred) == [true])
      let rows = try await matching.sql("select attended::text, missed::text from users order by id limit 2")
      #expect(rows == [["1", "0"], ["0", "1"]])
      let barred = try await refusal { try await matching.post(RunningMatching.request(in: 3_000), as: .grace) }
      #expect(barred.reason == "BARRED")
    }
  }

  @Test("[MA-10] an unmatched session just lapses, and its slot is free")
  func lapse() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      try await matching.advance(to: .seconds(136 * 60))
      try await matching.settled()
      #expect(try await matching.state(of: session) == "LAPSED")
      #expect(try await matching.value("select count(*) from bars") == "0")
      #expect(try await matching.told(SessionLapsed.self).count == 1)
      try await matching.post(RunningMatching.request(in: 140))
    }
  }

  @Test("[MA-10] a judgement that comes late bars by the scheduled time, the earlier session first")
  func catchUp() async throws {
    try await RunningMatching.with { matching in
      let (first, second) = (try await matching.match(), try await matching.match(RunningMatching.request(in: 300)))
      // The service works until after the check-in window of the second, but its jobs do not run.
      try await matching.sql("update jobs set ready_at = '2100-01-01'")
      try await matching.advance(to: .seconds(600 * 60))
      try await matching.sql("update jobs set ready_at = due_at")
      try await matching.settled()
      #expect(try await matching.told(SessionFailed.self).map(\.sessionID) == [first.sessionID, second.sessionID])
      let ends = try await matching.sql(
        "select distinct extract(epoch from ends_at)::bigint::text from bars order by 1")
      let start: Int64 = RunningMatching.start.wholeSeconds + 72 * 3_600
      #expect(ends == [["\(start + 135 * 60)"], ["\(start + 315 * 60)"]])
    }
  }

  @Test(
    "[MA-10] nobody is barred for a check-in window that overlaps an outage of over 30 s; a shorter pause is none",
    arguments: [
      // Minutes after the start of the window at which the service stopped, and seconds of its downtime.
      (29, 31, true), (29, 30, false), (10, 40 * 60, true), (-20, 20 * 60, false), (-20, 20 * 60 + 1, true),
      (30, 60, false), (29, 2 * 86_400, true),
    ])
  func outage(minute: Int, seconds: Int, isExcused: Bool) async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.sql("update jobs set ready_at = '2100-01-01'")
      try await matching.advance(to: .seconds((105 + minute) * 60))
      matching.clock.advance(by: .seconds(seconds))
      try await matching.sql("update jobs set ready_at = due_at")
      // The judgement itself beats; one that is not due yet waits for later, with the service at work.
      if matching.clock.now <= RunningMatching.start + Duration.seconds(8_100) {
        try await matching.own.write(
          Beat(now: matching.clock.now, longestGapUs: Heartbeat.maxGap.wholeMicroseconds))
        try await matching.advance(to: .seconds(136 * 60))
      }
      try await matching.settled()
      #expect(try await matching.state(of: session) == "FAILED")
      #expect(try await matching.value("select count(*) from bars") == (isExcused ? "0" : "2"))
      #expect(try await matching.told(SessionFailed.self).map(\.barred) == [!isExcused])
      #expect(try await matching.value("select sum(missed) from users") == (isExcused ? "0" : "2"))
    }
  }

  @Test("[MA-12] both are reminded an hour before the start, once")
  func reminder() async throws {
    try await RunningMatching.with { matching in
      try await matching.match()
      try await matching.post(as: .kim)
      try await matching.advance(to: .seconds(3_600 - 1))
      try await matching.settled()
      #expect(try await matching.told(NotificationRequested.self).compactMap(\.reminder).isEmpty)
      try await matching.advance(to: .seconds(3_600))
      try await matching.settled()
      let told = try await matching.told(NotificationRequested.self).filter { $0.reminder != nil }
      #expect(told.count == 2 && told.allSatisfy { $0.reminder?.gym == "Gym" })
      #expect(
        Set(told.flatMap(\.recipientIds)) == [TestUser.ada.id.description, TestUser.grace.id.description])
    }
  }

  @Test("[MA-10] more sessions of one moment than fit one transaction are all judged, each once")
  func batches() async throws {
    try await RunningMatching.with { matching in
      try await matching.match()
      try await matching.sql(
        """
        insert into users (id) select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, 2400) n;
        insert into sessions (id, owner_id, partner_id, state, starts_at, ends_at, gym_id, gym_name, gym_latitude,
          gym_longitude, time_zone, focus, level, admitted, owner_gender, posted_at, updated_at)
        select ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid,
          ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
          ('00000000-0000-7000-8000-' || lpad((n + 1200)::text, 12, '0'))::uuid, 'MATCHED', starts_at, ends_at, gym_id,
          gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted, owner_gender, posted_at, updated_at
        from sessions, generate_series(1, 1200) n;
        insert into participations (session_id, user_id, slot)
        select id, unnest(array[owner_id, partner_id]), tstzrange(starts_at, ends_at) from sessions
        where id::text like '00000000%'
        """)
      try await matching.advance(to: .seconds(136 * 60))
      try await matching.settled()
      #expect(try await matching.sql("select state, count(*)::text from sessions group by 1") == [["FAILED", "1201"]])
      #expect(try await matching.value("select count(*) from bars") == "2402")
      #expect(try await matching.told(SessionFailed.self).count == 1_201)
      let notices = try await matching.told(NotificationRequested.self).filter {
        if case .checkInMissed = $0.news { true } else { false }
      }
      #expect(notices.allSatisfy { $0.recipientIds.count <= 500 } && notices.flatMap(\.recipientIds).count == 2_402)
    }
  }
}
