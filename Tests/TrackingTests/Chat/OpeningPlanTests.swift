import ChatDomain
import TandemChat
import TestSupport
import Testing

@Suite("conversations that are opened after a restart", .timeLimit(.minutes(5)))
struct OpeningPlanTests {
  @Test("[TR-31] 29 A12: a statement that was planned while no user was online reads none of the 20,000 who came since")
  func growingPresence() async throws {
    try await RunningTracking.with { tracking in
      var ids: [ConversationID] = []
      for number in 1...60 { ids.append(try await tracking.conversation(UInt64(number), of: [.ada, .grace])) }
      try await tracking.sql("vacuum analyze chat_presence")
      let (first, later) = (ids[..<30], ids[30...])
      try await tracking.connected(.ada) { device in
        // From the sixth time on a connection keeps one plan for all parameters.
        for id in first { try await device.open(id) }
        try await tracking.sql(
          """
          insert into chat_presence (conversation_id, user_id, replica_id)
          select gen_random_uuid(), gen_random_uuid(), id from chat_replicas cross join generate_series(1, 20000)
          """)
        let before = try await tracking.reads
        for id in later { #expect(try await device.open(id).members.filter(\.online).count == 1) }
        // A connection reports what it read when it has nothing to do, at most once a second.
        let after = try await eventually("the look-ups are counted") {
          let reads = try await tracking.reads
          return reads.byIndex - before.byIndex >= 60 || reads.whole - before.whole >= 60 * 20_000 ? reads : nil
        }
        #expect(after.whole - before.whole < 10 * 20_000)
      }
    }
  }
}

extension RunningTracking {
  /// How many look-ups of who is online went by an index, and how many rows were read without one.
  fileprivate var reads: (byIndex: Int, whole: Int) {
    get async throws {
      let row = try await sql(
        "select idx_scan, seq_tup_read from pg_stat_user_tables where relid = 'chat_presence'::regclass"
      ).first?.compactMap { $0.flatMap { Int($0) } }
      let counts = try #require(row)
      return (counts[0], counts[1])
    }
  }
}
