import Identifiers
import Logging
import MatchingBackground
import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

/// Access tokens expire after ten minutes, and without identity nobody gets another.
@Suite("while identity is down", .timeLimit(.minutes(5)))
struct IdentityOutageTests {
  /// Moves the time on in steps, in each of which the service works as ever.
  private static func work(until moment: Duration, _ matching: RunningMatching) async throws {
    let heart = HeartbeatService(
      database: matching.own, identity: matching.neighbours, clock: matching.clock, logger: Logger(label: "tests"))
    while matching.clock.now < RunningMatching.start + moment {
      matching.clock.advance(by: .seconds(20))
      try await heart.beat()
    }
  }

  @Test(
    "[MA-10] M-4: whose tokens expired while identity was down is not barred for being absent; the session is excused",
    arguments: [
      // Minutes after the start of the window at which identity goes, and comes back; whether that excuses.
      (0, 31, true), (10, 20, true), (-20, -10, false),
    ])
  func excused(gone: Int, back: Int, isExcused: Bool) async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.sql("update jobs set ready_at = '2100-01-01'")
      try await matching.advance(to: .seconds(80 * 60))
      try await Self.work(until: .seconds((105 + gone) * 60), matching)
      matching.neighbours.areDown.withLock { $0 = true }
      try await Self.work(until: .seconds((105 + back) * 60), matching)
      if back < 31 {
        matching.neighbours.areDown.withLock { $0 = false }
        try await Self.work(until: .seconds(136 * 60), matching)
      }

      try await matching.sql("update jobs set ready_at = due_at")
      try await matching.settled()
      #expect(try await matching.state(of: session) == "FAILED")
      #expect(try await matching.value("select count(*) from bars") == (isExcused ? "0" : "2"))
      #expect(try await matching.told(SessionFailed.self).map(\.barred) == [!isExcused])
      #expect(try await matching.value("select sum(missed) from users") == (isExcused ? "0" : "2"))
    }
  }

  @Test("[MA-10] an outage from the very first start on is one, too")
  func neverUp() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.sql("update jobs set ready_at = '2100-01-01'")
      matching.neighbours.areDown.withLock { $0 = true }
      try await matching.sql("delete from heartbeat")
      try await Self.work(until: .seconds(136 * 60), matching)

      try await matching.sql("update jobs set ready_at = due_at")
      try await matching.settled()
      #expect(try await matching.state(of: session) == "FAILED")
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }

  @Test("[MA-10] M-4: judgements in quick succession while identity is down excuse all of them")
  func manyJudgements() async throws {
    try await RunningMatching.with { matching in
      for minute in 0..<4 {
        let (owner, partner) = (TestUser.one(2 * minute), TestUser.one(2 * minute + 1))
        try await matching.introduce([owner, partner])
        try await matching.join(matching.post(RunningMatching.request(in: 120 + 20 * minute), as: owner), as: partner)
      }
      try await matching.advance(to: .seconds(105 * 60))
      matching.neighbours.areDown.withLock { $0 = true }
      for minute in stride(from: 110, through: 200, by: 5) {
        try await Self.work(until: .seconds(Int64(minute * 60)), matching)
        try await matching.settled()
      }
      #expect(try await matching.sql("select state, count(*)::text from sessions group by 1") == [["FAILED", "4"]])
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }
}
