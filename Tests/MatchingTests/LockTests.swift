import AccountDeletions
import Foundation
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

/// What waits for whom: a user's own calls for each other, and all that locks users and sessions in one order.
@Suite("locks of users and sessions", .timeLimit(.minutes(5)))
struct LockTests {
  @Test("[MA-7] a bar that is imposed while a user's calls wait for each other refuses all that waited")
  func barDuringWait() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let results = try await Self.holding(.grace, matching) {
        await matching.race(32) { sessions, number in
          if number.isMultiple(of: 2) {
            return try await sessions.joinSession(
              JoinSessionRequest(sessionID: session.sessionID), TestUser.grace.options)
          }
          return try await sessions.postSession(
            RunningMatching.request(in: 1_000 + 60 * number), TestUser.grace.options)
        }
      } whileWaiting: { tx in
        let now = matching.clock.now
        try await tx.execute(
          ImposeBar(
            barID: matching.runtime.environment.newID(), userID: TestUser.grace.id,
            sessionID: try #require(SessionID(session.sessionID)), cause: .lateCancellation, now: now,
            endsAt: now + .seconds(86_400)))
      }
      #expect(results.reasons() == Array(repeating: "BARRED", count: 32))
      #expect(try await matching.value("select count(*) from sessions") == "1")
    }
  }

  /// What locks users as well as a session of Ada and Grace.
  enum Step: CaseIterable {
    case checkIn
    case feedback
    case judgement
    case cleanup
  }

  @Test("whatever locks users and a session waits for the users without holding the session", arguments: Step.allCases)
  func order(_ step: Step) async throws {
    try await RunningMatching.with { matching in
      let session = try await (step == .feedback ? matching.succeed() : matching.match())
      try await matching.sql("update jobs set ready_at = '2100-01-01'")
      let time: Duration = .seconds(60 * (step == .feedback ? 181 : step == .judgement ? 136 : 110))
      try await matching.advance(to: time)
      if step == .cleanup {
        try await matching.own.write(MarkAccountDeleted(userID: TestUser.grace.id))
      }
      _ = try await Self.holding(.grace, matching) {
        switch step {
        case .checkIn: _ = try await matching.checkIn(session, as: .ada)
        case .feedback:
          _ = try await matching.sessions.submitFeedback(
            SubmitFeedbackRequest(sessionID: session.sessionID, rating: 5), TestUser.ada.options)
        case .judgement: try await matching.sql("update jobs set ready_at = due_at where kind = 'judge_sessions'")
        case .cleanup:
          try await matching.own.repeatableTransaction { tx in try await matching.operations.scheduleCleanup(tx) }
        }
      } whileWaiting: { _ in
        // An error unless the row is free.
        try await matching.sql("select from sessions where id = '\(session.sessionID)' for update nowait")
      }
    }
  }

  /// Runs `body` while a transaction holds the lock on a user's row, and `whileWaiting` in that transaction once something waits for it.
  static func holding<R: Sendable>(
    _ user: TestUser, _ matching: RunningMatching, _ body: @escaping @Sendable () async throws -> R,
    whileWaiting: @escaping @Sendable (Transaction) async throws -> Void
  ) async throws -> R {
    let isLocked = Gate()
    return try await withThrowingTaskGroup(of: R?.self) { group in
      group.addTask {
        try await matching.own.transaction { tx in
          _ = try await tx.first(LockedMember(now: matching.clock.now, userID: user.id))
          isLocked.open()
          try await until("something waits for the lock") {
            try await matching.value(
              "select count(*) > 0 from pg_stat_activity where datname = current_database() and wait_event in ('transactionid', 'tuple')"
            )
              == "t"
          }
          try await whileWaiting(tx)
        }
        return nil
      }
      group.addTask {
        await isLocked.pass()
        while true {
          do { return try await body() } catch let status as Status where status.reason == "DATABASE_SLOW" {
            // On a busy machine the lock is held longer than a statement may wait. Nothing was done.
          }
        }
      }
      var result: R?
      for try await one in group { result = one ?? result }
      return try #require(result)
    }
  }

  @Test("[MA-6] [MA-8] check-ins, cancellations and joins of the same sessions at the same time never deadlock")
  func deadlocks() async throws {
    try await RunningMatching.with { matching in
      let users = (0..<16).map { TestUser.one($0) }
      try await matching.introduce(users)
      var made: [Session] = []
      for pair in 0..<4 {
        let session = try await matching.post(RunningMatching.request(in: 10), as: users[2 * pair])
        made.append(try await matching.join(session, as: users[2 * pair + 1]))
      }
      let sessions = made
      let results = await matching.race(96) { client, number in
        let (pair, act) = (number % 4, number / 4)
        let (id, user) = (sessions[pair].sessionID, users[2 * pair + (act / 6 + act) % 2])
        switch act % 6 {
        case 0...3:
          _ = try await client.checkIn(
            CheckInRequest(sessionID: id, point: TestGym.raffles.wire, accuracyM: 5), user.options)
        case 4: _ = try await client.cancelSession(CancelSessionRequest(sessionID: id), user.options)
        default:
          let stranger = users[8 + act % 8]
          _ = try await client.joinSession(JoinSessionRequest(sessionID: id), stranger.options)
        }
      }
      let expected: Set = [
        "CHECKED_IN", "NOT_MATCHED", "SESSION_NOT_FOUND", "SESSION_TAKEN", "SESSION_OVER", "SLOT_TAKEN", "BARRED",
        "OWN_SESSION",
      ]
      #expect(Set(results.reasons()).isSubset(of: expected), "\(Set(results.reasons()))")
      #expect(try await matching.database.loggedDeadlocks() ?? [] == [])
    }
  }
}
