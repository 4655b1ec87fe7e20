import Environment
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

/// A replica's clock that is ahead of the database's, which shows the real time.
@Suite("a clock that is ahead", .timeLimit(.minutes(5)))
struct WrongClockTests {
  /// Days after ``RunningMatching/start`` at which the replica's clock is ahead by a day or two.
  private static var tomorrow: Int { Int((SystemClock().now - RunningMatching.start) / .seconds(86_400)) + 2 }

  @Test("[MA-10] 29 B1: a replica whose clock is ahead neither fails a session nor bars for it, and judges it later")
  func judgement() async throws {
    let day = Self.tomorrow
    try await RunningMatching.with(after: day) { matching in
      let session = try await matching.match(RunningMatching.request(in: day * 1_440 + 60))
      try await matching.advance(to: .seconds((day * 1_440 + 80) * 60))
      try await until("the judgement, which the replica takes for due, was put off") {
        try await matching.value(
          "select due_at > to_timestamp(\(matching.clock.now.microseconds) / 1000000.0) from jobs where kind = 'judge_sessions'"
        ) == "t"
      }
      #expect(try await matching.state(of: session) == "MATCHED")
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }

  @Test("[MA-7] 29 B1: a cancellation is late by the database's clock, not by one that is ahead")
  func cancellation() async throws {
    let day = Self.tomorrow
    try await RunningMatching.with(after: day) { matching in
      let session = try await matching.match(RunningMatching.request(in: day * 1_440 + 60))
      try await matching.advance(to: .seconds((day * 1_440 + 30) * 60))
      #expect(try await matching.cancel(session, as: .grace).barEndTime == nil)
    }
  }

  @Test("[MA-17] 29 B1: an offer is not lost to a replica whose clock is ahead, whose job for its end comes again")
  func offer() async throws {
    let day = Self.tomorrow
    try await RunningMatching.with(after: day) { matching in
      try await matching.introduce([.one(1), .one(2), .one(3)])
      let session = try await matching.match(RunningMatching.request(in: day * 1_440 + 120))
      for number in 1...2 { try await matching.wait(for: session, as: .one(number)) }
      try await matching.cancel(session, as: .grace)
      try await until("the end of the offer, which the replica takes for due, was put off") {
        try await matching.value(
          """
          select due_at > to_timestamp(\(matching.clock.now.microseconds) / 1000000.0) + interval '10 minutes' from jobs
          where kind = 'end_offer'
          """) == "t"
      }
      #expect(try await refusal { try await matching.join(session, as: .one(3)) }.reason == "SESSION_TAKEN")
      #expect(try await refusal { try await matching.join(session, as: .one(2)) }.reason == "SESSION_TAKEN")
      #expect(try await matching.offered() == [TestUser.one(1).id.description])
      #expect(try await matching.join(session, as: .one(1)).matched)
    }
  }

  @Test("[MA-10] 29 B1: a beat a day ahead is no outage, and one that was stored hides none")
  func beats() async throws {
    try await RunningMatching.with { matching in
      let real = SystemClock().now
      let gap = Heartbeat.maxGap.wholeMicroseconds
      func last() async throws -> Int64 {
        Int64(try await matching.value("select extract(epoch from last_beat_at)::bigint from heartbeat") ?? "") ?? 0
      }
      try await matching.sql("delete from outages; update heartbeat set last_beat_at = clock_timestamp()")
      try await matching.own.write(Beat(now: real + .seconds(86_400), longestGapUs: gap))
      #expect(try await matching.value("select count(*) from outages") == "0")
      #expect(try await last() < real.wholeSeconds + 3_600)
      try await matching.sql("update heartbeat set last_beat_at = clock_timestamp() + interval '1 day'")
      try await matching.own.write(Beat(now: real, longestGapUs: gap))
      #expect(try await last() <= real.wholeSeconds + 1)
    }
  }
}
