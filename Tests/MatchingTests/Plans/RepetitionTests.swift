import GoogleType
import Identifiers
import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

extension RunningMatching {
  var repetitions: RepetitionsClient { RepetitionsClient(client) }

  @discardableResult
  func repeated(_ session: Session, until: GoogleType.Date? = nil, as user: TestUser = .ada) async throws -> Repetition
  {
    try await repetitions.repeatSession(
      RepeatSessionRequest(sessionID: session.sessionID, untilDate: until), user.options)
  }

  /// The starts of the user's sessions by the clocks of the gym, once the jobs are done.
  func localStarts(_ user: TestUser = .ada) async throws -> [String] {
    try await settled()
    return try await sql(
      "select to_char(starts_at at time zone time_zone, 'MM-DD HH24:MI') from sessions where owner_id = '\(user.id)' order by starts_at"
    ).compactMap { $0[0] }
  }
}

@Suite("weekly repetition", .timeLimit(.minutes(5)))
struct RepetitionTests {
  @Test("[MA-19] a session is posted again each week when the one before begins, until the last day")
  func weekly() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let first = try #require(session.startTime.map { try Instant(wire: $0) })
      let repetition = try await matching.repeated(session)
      #expect(repetition.lengthS == 3_600 && repetition.gym == session.gym)
      #expect(try await matching.localStarts().count == 1)
      for week in 0..<3 {
        try await matching.advance(by: first + .seconds(Int64(week) * 7 * 86_400) - matching.clock.now)
        let starts = try await matching.localStarts()
        #expect(starts.count == week + 2)
        #expect(Set(starts.map { $0.suffix(5) }).count == 1)
      }
      _ = try await matching.repetitions.endRepetition(
        EndRepetitionRequest(repetitionID: repetition.repetitionID), TestUser.ada.options)
      try await matching.advance(by: .seconds(7 * 86_400))
      #expect(try await matching.localStarts().count == 4)
    }
  }

  @Test("[MA-19] the time of day stays the same across daylight-saving changes")
  func daylightSaving() async throws {
    try await RunningMatching.with { matching in
      // New York's clocks go forward on 8 March 2026; the test's clock stands in January.
      let session = try await matching.post(RunningMatching.request(in: 40 * 1_440))
      try await matching.sql("update sessions set time_zone = 'America/New_York' where id = '\(session.sessionID)'")
      let first = try #require(session.startTime.map { try Instant(wire: $0) })
      try await matching.repeated(session)
      for week in 0..<4 {
        try await matching.advance(by: first + .seconds(Int64(week) * 7 * 86_400) - matching.clock.now)
        _ = try await matching.localStarts()
      }
      let starts = try await matching.localStarts()
      #expect(starts.count == 5)
      #expect(Set(starts.map { $0.suffix(5) }).count == 1, "\(starts)")
      let moments = try await matching.sql("select distinct starts_at::time from sessions")
      #expect(moments.count == 2, "summer time is an hour earlier in UTC")
    }
  }

  @Test("[MA-19] [MA-7] a week whose slot is taken, or in which the user is barred, is left out, and the user told")
  func leftOut() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let first = try #require(session.startTime.map { try Instant(wire: $0) })
      try await matching.repeated(session)
      try await matching.post(RunningMatching.request(in: 120 + 7 * 1_440 + 30))
      try await matching.advance(by: first - matching.clock.now)
      #expect(try await matching.localStarts().count == 2)
      try await matching.sql(
        """
        insert into bars (id, user_id, session_id, cause, began_at, ends_at)
        select gen_random_uuid(), '\(TestUser.ada.id)', id, 'NO_SHOW', starts_at, starts_at + interval '30 days'
        from sessions where id = '\(session.sessionID)'
        """)
      try await matching.advance(by: .seconds(7 * 86_400))
      #expect(try await matching.localStarts().count == 2)
      let told = try await matching.told(NotificationRequested.self).compactMap { request in
        if case .sessionNotRepeated(let news) = request.news { news.startTime } else { nil }
      }
      #expect(told == [first + .seconds(7 * 86_400), first + .seconds(14 * 86_400)].map(\.timestamp))
    }
  }

  @Test("[MA-19] [MA-16] a week in which 30 of the user's sessions are open is left out, and the user told")
  func openPosts() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let first = try #require(session.startTime.map { try Instant(wire: $0) })
      try await matching.repeated(session)
      for number in 0..<29 {
        try await matching.post(RunningMatching.request(in: 2_880 + 15 * number, lasting: 15))
      }
      let last = try await matching.post(RunningMatching.request(in: 2_880 + 15 * 29, lasting: 15), as: .grace)
      try await matching.sql("update sessions set owner_id = '\(TestUser.ada.id)' where id = '\(last.sessionID)'")
      try await matching.advance(by: first - matching.clock.now)
      #expect(try await matching.localStarts().count == 31, "none is added to the 30 that are yet to start")
      let told = try await matching.told(NotificationRequested.self).compactMap { request in
        if case .sessionNotRepeated(let news) = request.news { news.startTime } else { nil }
      }
      #expect(told == [(first + .seconds(7 * 86_400)).timestamp])
      // Those have passed, and the next week is posted again.
      try await matching.advance(by: .seconds(7 * 86_400))
      #expect(try await matching.localStarts().count == 32)
    }
  }

  @Test("[MA-19] only the owner repeats a session, once, and not before the next week")
  func refusals() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      #expect(try await refusal { try await matching.repeated(session, as: .grace) }.reason == "NOT_THE_OWNER")
      #expect(try await refusal { try await matching.repeated(session, as: .kim) }.reason == "SESSION_NOT_FOUND")
      let early = GoogleType.Date(year: 2026, month: 1, day: 16)
      #expect(
        try await refusal { try await matching.repeated(session, until: early) }.fieldReasons == ["UNTIL_INVALID"])
      try await matching.repeated(session)
      #expect(try await refusal { try await matching.repeated(session) }.reason == "ALREADY_REPEATED")
      #expect(try await matching.repetitions.listRepetitions(.init(), TestUser.ada.options).repetitions.count == 1)
    }
  }
}
