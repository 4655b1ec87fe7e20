import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("changes of sessions after a restore", .timeLimit(.minutes(5)))
struct SessionChangesTests {
  /// What is listed once all transactions of before have ended, of other tests too.
  private static func changes(since token: String = "", _ matching: RunningMatching) async throws
    -> ListSessionChangesResponse
  {
    let now = try #require(try await matching.value("select pg_snapshot_xmax(pg_current_snapshot())"))
    try await until("the transactions of before \(now) have ended") {
      try await matching.value("select pg_snapshot_xmin(pg_current_snapshot()) >= '\(now)'::xid8") == "t"
    }
    return try await matching.sessions.listSessionChanges(
      ListSessionChangesRequest(since: token), TestUser.grace.options)
  }

  /// Does what `EventEpochs` does on another server.
  ///
  /// - Parameter known: how many transactions before the last change of all were in the dump.
  private static func restore(without lost: Int, _ matching: RunningMatching) async throws {
    try await matching.sql(
      """
      with begun as (
        select max(changed_in::text::bigint) as last, ((max(changed_in::text::bigint) >> 44) + 1) << 44 as next
        from participations
      ), noted as (
        insert into event_epochs (next_transaction_id, ended_transaction_id, ended_id)
        select next::text::xid8, (last - \(lost))::text::xid8, 0 from begun
      )
      update event_log set transaction_offset = next from begun
      """)
  }

  @Test(
    "[C-11] B8: a token of a database that was restored to an earlier moment is refused, and changes go on above it")
  func lost() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      let old = try await Self.changes(matching).nextChangeToken
      try await Self.restore(without: 1, matching)
      let refused = try await refusal { try await Self.changes(since: old, matching) }
      #expect(refused.code == .invalidArgument && refused.fieldReasons == ["CHANGE_TOKEN_INVALID"])
      let anew = try await Self.changes(matching)
      #expect(anew.changed.map(\.sessionID) == [session.sessionID])
    }
  }

  @Test(
    "[C-11] B8: a token from before a restore is refused although its number is known, and a client that begins anew skips no change"
  )
  func known() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      let old = try await Self.changes(matching).nextChangeToken
      try await Self.restore(without: 0, matching)
      // Below the numbers that were dumped there may have been changes that were still open then.
      let refused = try await refusal { try await Self.changes(since: old, matching) }
      #expect(refused.code == .invalidArgument && refused.fieldReasons == ["CHANGE_TOKEN_INVALID"])
      let anew = try await Self.changes(matching).nextChangeToken
      #expect(try await Self.changes(since: anew, matching).changed.isEmpty)
      try await matching.cancel(session, as: .ada)
      let next = try await Self.changes(since: anew, matching)
      #expect(next.changed.map(\.state) == [.open])
      try await matching.cancel(session, as: .grace)
      #expect(try await Self.changes(since: next.nextChangeToken, matching).deletedSessionIds == [session.sessionID])
    }
  }
}
