import Blocks
import Identifiers
import MatchingOperations
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

extension Parting {
  /// - Parameter moment: when the block was made; `nil` for one that bars nobody.
  init(of blocked: TestUser, by blocker: TestUser, at moment: Instant?) {
    guard let moment else {
      self.init(of: blocked.id, by: blocker.id, .none)
      return
    }
    self.init(of: blocked.id, by: blocker.id, .bars(from: moment))
  }
}

extension RunningMatching {
  /// Does what the consumer of identity's events does with a block, and waits until the two are parted.
  ///
  /// - Parameter moment: when it was made; `nil` for now.
  func block(_ blocked: TestUser, by blocker: TestUser, at moment: Instant? = nil) async throws {
    try await own.repeatableTransaction { tx in
      try await tx.execute(AddBlocks([Block(of: blocked.id, by: blocker.id)]))
      try await operations.scheduleParting([Parting(of: blocked, by: blocker, at: moment ?? clock.now)], tx)
    }
    try await settled()
  }

  /// Does what the consumer does when the blocker has reported the user around a block, and waits until the two are parted.
  func blockAndReport(_ blocked: TestUser, by blocker: TestUser, at moment: Instant) async throws {
    try await own.repeatableTransaction { tx in
      try await tx.execute(AddBlocks([Block(of: blocked.id, by: blocker.id)]))
      try await operations.scheduleParting([Parting(of: blocked.id, by: blocker.id, .excused(at: moment))], tx)
    }
    try await settled()
  }

  func unblock(_ blocked: TestUser, by blocker: TestUser) async throws {
    try await own.write(RemoveBlocks([Block(of: blocked.id, by: blocker.id)]))
  }
}

@Suite("sessions left by a block", .timeLimit(.minutes(5)))
struct PartingTests {
  @Test(
    "[MA-7] [C-10] M-5: a block 69 s before the start bars the blocker as a cancellation would, and unblocking does not help"
  )
  func late() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60 - 69))
      try await matching.block(.ada, by: .grace)
      #expect(try await matching.state(of: session) == "OPEN")
      let bars = try await matching.sessions.listMyBars(ListMyBarsRequest(), TestUser.grace.options).bars
      #expect(bars.map(\.cause) == [.lateCancellation] && bars.map(\.sessionID) == [session.sessionID])
      #expect(bars.map(\.endTime) == [(matching.clock.now + Duration.seconds(86_400)).timestamp])
      #expect(try await matching.sessions.listMyBars(ListMyBarsRequest(), TestUser.ada.options).bars.isEmpty)
      #expect(try await matching.sql("select missed::text from users order by id limit 2") == [["0"], ["1"]])

      try await matching.unblock(.ada, by: .grace)
      let other = try await matching.post(RunningMatching.request(in: 300), as: .ada)
      #expect(try await refusal { try await matching.join(other) }.reason == "BARRED")
    }
  }

  @Test("[MA-7] [C-10] [ID-26] 29 B11: a blocker who has reported the other is not barred, and parted all the same")
  func reported() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60 - 69))
      try await matching.blockAndReport(.ada, by: .grace, at: matching.clock.now)
      #expect(try await matching.state(of: session) == "OPEN")
      #expect(try await matching.value("select count(*) from bars") == "0")
      #expect(try await matching.value("select sum(missed) from users") == "0")
    }
  }

  @Test("[MA-7] [MA-14] [ID-26] M-5: 29 B11: a report after the block lifts its bar, and no other")
  func reportedLater() async throws {
    try await RunningMatching.with { matching in
      _ = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60 - 69))
      let moment = matching.clock.now
      try await matching.block(.ada, by: .grace, at: moment)
      #expect(try await matching.value("select missed from users where id = '\(TestUser.grace.id)'") == "1")

      try await matching.blockAndReport(.ada, by: .grace, at: moment - .seconds(1))
      #expect(try await matching.value("select count(*) from bars where lifted_at is null") == "1")

      try await matching.blockAndReport(.ada, by: .grace, at: moment)
      #expect(try await matching.value("select count(*) from bars where lifted_at is null") == "0")
      #expect(
        try await matching.sql("select change, actor from bar_changes order by number")
          == [["IMPOSED", "matching"], ["LIFTED", "matching"]])
      #expect(try await matching.value("select missed from users where id = '\(TestUser.grace.id)'") == "0")
      try await matching.unblock(.ada, by: .grace)
      _ = try await matching.join(try await matching.post(RunningMatching.request(in: 300), as: .ada))
    }
  }

  @Test("[MA-7] [C-10] M-5: by the time of the block: one of an hour before that is told late bars nobody")
  func toldLate() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      let inTime = matching.clock.now
      try await matching.advance(to: .seconds(119 * 60))
      try await matching.block(.ada, by: .grace, at: inTime)
      #expect(try await matching.state(of: session) == "OPEN")
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }

  @Test("[C-10] M-5: once a participant has checked in, a block changes nothing about the session, and bars nobody")
  func checkedIn() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(110 * 60))
      try await matching.checkIn(session, as: .ada)
      try await matching.block(.ada, by: .grace)
      #expect(try await matching.state(of: session) == "MATCHED")
      #expect(try await matching.value("select count(*) from bars") == "0")
    }
  }
}
