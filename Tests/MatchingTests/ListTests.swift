import AccountDeletions
import Blocks
import Events
import Identifiers
import MatchingBackground
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("lists of sessions and bars")
struct ListTests {
  @Test("[MA-12] upcoming sessions are listed by their start, past ones the latest first, both in pages and by state")
  func mine() async throws {
    try await RunningMatching.with { matching in
      for minutes in [300, 60, 180] { try await matching.post(RunningMatching.request(in: minutes)) }
      let starts = try await matching.mine(.ada).map { $0.startTime?.seconds ?? 0 }
      #expect(starts == starts.sorted() && starts.count == 3)
      try await matching.advance(to: .seconds(400 * 60))
      try await matching.settled()
      #expect(try await matching.mine(.ada).isEmpty)
      var (past, request) = ([Session](), ListMySessionsRequest(time: .past, pageSize: 2))
      repeat {
        let page = try await matching.sessions.listMySessions(request, TestUser.ada.options)
        past += page.sessions
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
      #expect(past.map { $0.startTime?.seconds ?? 0 } == starts.reversed())
      let lapsed = try await matching.sessions.listMySessions(
        ListMySessionsRequest(time: .past, state: .lapsed), TestUser.ada.options)
      #expect(lapsed.sessions.count == 3)
      let failed = try await matching.sessions.listMySessions(
        ListMySessionsRequest(time: .past, state: .failed), TestUser.ada.options)
      #expect(failed.sessions.isEmpty)
    }
  }

  @Test("[C-11] changes of own sessions are listed since a token, none skipped: created, changed, no longer one's own")
  func changes() async throws {
    try await RunningMatching.with { matching in
      // A change is listed once no older transaction is open, in whatever database of the server.
      func changes(_ token: String, _ user: TestUser = .ada) async throws -> ListSessionChangesResponse {
        try await eventually("a change is listed") {
          let answer = try await matching.sessions.listSessionChanges(
            ListSessionChangesRequest(since: token), user.options)
          return answer.changed.isEmpty && answer.deletedSessionIds.isEmpty ? nil : answer
        }
      }
      let session = try await matching.post()
      let first = try await changes("")
      #expect(first.changed.map(\.sessionID) == [session.sessionID] && !first.hasMore)
      let same = try await matching.sessions.listSessionChanges(
        ListSessionChangesRequest(since: first.nextChangeToken), TestUser.ada.options)
      #expect(same.changed.isEmpty && same.deletedSessionIds.isEmpty)
      try await matching.join(session)
      let second = try await changes(first.nextChangeToken)
      #expect(second.changed.map(\.matched) == [true])
      try await matching.cancel(session, as: .ada)
      let third = try await changes(second.nextChangeToken)
      #expect(third.changed.isEmpty && third.deletedSessionIds == [session.sessionID])
      try await until("the one who stays sees it open") {
        try await changes("", .grace).changed.map(\.state) == [.open]
      }
      let foreign = try await refusal {
        try await matching.sessions.listSessionChanges(
          ListSessionChangesRequest(since: third.nextChangeToken), TestUser.grace.options)
      }
      #expect(foreign.fieldReasons == ["CHANGE_TOKEN_INVALID"])
    }
  }

  @Test("[MA-14] an operator lists bars and lifts one; the user may post again, and every change is in the audit trail")
  func lift() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(119 * 60))
      try await matching.cancel(session, as: .grace)
      let listed = try await matching.bars.listBars(
        ListBarsRequest(userID: TestUser.grace.id.description), .asOperator
      ).bars
      #expect(listed.map(\.username) == ["grace.h"] && listed.first?.changes.map(\.change) == ["IMPOSED"])
      let bar = try #require(listed.first?.bar)
      for _ in 0..<2 {
        let lifted = try await matching.bars.liftBar(
          LiftBarRequest(barID: bar.barID, reason: "The gym was closed", actor: "root"), .asOperator)
        #expect(lifted.changes.map(\.change) == ["IMPOSED", "LIFTED"] && lifted.changes.last?.actor == "root")
        #expect(lifted.changes.last?.reason == "The gym was closed" && lifted.bar?.liftTime != nil)
      }
      #expect(try await matching.bars.listBars(ListBarsRequest(), .asOperator).bars.isEmpty)
      #expect(try await matching.bars.listBars(ListBarsRequest(includeEnded: true), .asOperator).bars.count == 1)
      try await matching.post(RunningMatching.request(in: 3_000), as: .grace)
      let unknown = try await refusal {
        try await matching.bars.liftBar(
          LiftBarRequest(barID: session.sessionID, reason: "No", actor: "root"), .asOperator)
      }
      #expect(unknown.reason == "BAR_NOT_FOUND")
      let tampered = await #expect(throws: PostgresError.self) {
        try await matching.sql("update bar_changes set reason = 'other'")
      }
      #expect(tampered?.message.contains("only added to") == true)
    }
  }
}
