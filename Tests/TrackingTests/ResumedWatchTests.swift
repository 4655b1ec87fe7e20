import Identifiers
import Postgres
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingOperations
import TrackingStore

@Suite("views of groups that begin behind a number", .timeLimit(.minutes(5)))
struct ResumedWatchTests {
  @Test("[TR-4] a viewer who comes back with the last number gets what was missed, once and in order")
  func resumes() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      for start in stride(from: 0, to: 1_200, by: 100) {
        try await tracking.store(
          (start + 1...start + 100).map { .moved(.ada, in: home, to: $0, at: tracking.clock.now) })
      }
      try await tracking.watch([WatchedGroup(home, after: 7)], as: .grace) { _, reader in
        guard case .resumed(let group) = try await reader.next() else { throw Unexpected() }
        #expect(group.after == 7)
        for number in 8...1_200 { #expect(try await reader.change().number == number) }
        try await tracking.move(.ada, in: home, to: 1_201)
        #expect(try await reader.change().sequence == 1_201)
      }
    }
  }

  @Test("[TR-4] B6: who missed 5,001 changes gets a snapshot, and who missed 5,000 gets them")
  func longAbsence() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.move(.ada, in: home, to: 1)
      try await tracking.sql(
        """
        insert into group_changes (group_id, sequence, changed_at, user_id, kind, state, latitude, longitude, recorded_at)
        select group_id, number, changed_at, user_id, kind, state, latitude, longitude, recorded_at
        from group_changes cross join generate_series(2, 5001) as number;
        update groups set sequence = 5001
        """)
      try await tracking.watch([WatchedGroup(home, after: 0)], as: .grace) { _, reader in
        let snapshot = try await reader.snapshot()
        #expect(snapshot.reason == .changesGone)
      }
      try await tracking.watch([WatchedGroup(home, after: 1)], as: .grace) { _, reader in
        guard case .resumed = try await reader.next() else { throw Unexpected() }
        for number in 2...5_001 { #expect(try await reader.change().sequence == number) }
      }
      let plan = try await Administration.session(tracking.database.url) { session in
        try session.run("set search_path to tracking; set plan_cache_mode to force_generic_plan; analyze group_changes")
        try session.run("prepare look (uuid[], bigint[], uuid) as \(WatchStarts.sql)")
        return try session.run("explain execute look (array['\(home)'::uuid], array[1], '\(TestUser.grace.id)')")
          .compactMap { $0.first ?? nil }.joined(separator: "\n")
      }
      // Each partition has an index of its own, which is named after the columns; that of a view's resumption has a condition.
      let partial = try await tracking.sql(
        """
        select indexrelid::regclass::text from pg_index
        where indrelid in (select inhrelid from pg_inherits where inhparent = 'group_changes'::regclass)
          and pg_get_expr(indpred, indrelid) like '%VISIBILITY%'
        """
      ).compactMap { $0.first ?? nil }
      #expect(!partial.isEmpty && partial.contains { plan.contains($0) }, "\(plan)")
      // Of a partition without rows a scan costs nothing.
      let scans = plan.split(separator: "\n").filter { $0.contains("Seq Scan on group_changes") }
      #expect(scans.allSatisfy { $0.contains("cost=0.00..0.00 ") }, "\(plan)")
    }
  }

  @Test(
    "[TR-4] 29 B6: a view resumes by the partial index in a log of 100,000 changes, whether or not the database has counted them",
    arguments: ["force_custom_plan", "force_generic_plan"], [false, true])
  func longLog(mode: String, isAnalyzed: Bool) async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.move(.ada, in: home, to: 1)
      try await tracking.sql(
        """
        insert into group_changes (group_id, sequence, changed_at, user_id, kind, state, latitude, longitude, recorded_at)
        select group_id, number, changed_at, user_id, kind, state, latitude, longitude, recorded_at
        from group_changes cross join generate_series(2, 100000) as number;
        update groups set sequence = 100000
        """)
      let plan = try await Administration.session(tracking.database.url) { session in
        try session.run("set search_path to tracking; set plan_cache_mode to \(mode)")
        if isAnalyzed { try session.run("analyze group_changes, groups, memberships") }
        try session.run("prepare look (uuid[], bigint[], uuid) as \(WatchStarts.sql)")
        return try session.run(
          "explain (analyze, buffers, timing off) execute look (array['\(home)'::uuid], array[1], '\(TestUser.grace.id)')"
        ).compactMap { $0.first ?? nil }.joined(separator: "\n")
      }
      let buffers = try #require(plan.firstMatch(of: /shared hit=(\d+)(?: read=(\d+))?/))
      let pages = try #require(Int(buffers.1)) + (buffers.2.flatMap { Int($0) } ?? 0)
      // All changes are in some 2,000.
      #expect(pages < 60, "\(plan)")
    }
  }

  @Test("[TR-4] a viewer who reconnects again and again beside 16 writers sees every change once and in order")
  func resumesBesideWriters() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await withThrowingTaskGroup { group in
        for writer in 0..<16 {
          group.addTask {
            for round in 0..<40 { try await tracking.move(.ada, in: home, to: writer * 40 + round) }
          }
        }
        // A child as well, so that the failure of a writer ends its waiting.
        group.addTask { try await Self.followReconnecting(home, through: 640, tracking) }
        try await group.waitForAll()
      }
    }
  }

  /// Watches a group over connections of 30 changes each, until all are seen.
  private static func followReconnecting(_ home: GroupID, through end: Int, _ tracking: RunningTracking) async throws {
    var seen: [Int64] = []
    var numbers: Set<Int> = []
    while seen.count < end {
      let last = seen.last ?? 0
      try await tracking.watch([WatchedGroup(home, after: last)], as: .grace) { _, reader in
        guard case .resumed = try await reader.next() else { throw Unexpected() }
        for _ in 0..<min(30, end - seen.count) {
          let change = try await reader.change()
          seen.append(change.sequence)
          if let number = change.number { numbers.insert(number) }
        }
      }
    }
    #expect(seen == Array(1...Int64(end)))
    #expect(numbers.count == end)
  }

  @Test("[TR-4] viewers who begin at different moments beside writers all see the same numbers behind their snapshots")
  func manyViewers() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace, .alan])
      try await withThrowingTaskGroup { group in
        for viewer in 0..<24 {
          group.addTask {
            try await tracking.watch([WatchedGroup(home)], as: viewer % 2 == 0 ? .grace : .alan) { _, reader in
              var last = try await reader.snapshot().group?.sequence ?? 0
              while last < 320 {
                let change = try await reader.change()
                #expect(change.sequence == last + 1)
                last = change.sequence
              }
            }
          }
        }
        for writer in 0..<16 {
          group.addTask { for round in 0..<20 { try await tracking.move(.ada, in: home, to: writer * 20 + round) } }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("[ID-43] a member who leaves and joins again begins with a snapshot, and never sees what happened in between")
  func joinsAgain() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.move(.ada, in: home, to: 1)
      try await tracking.remove(.grace, from: home)
      try await tracking.move(.ada, in: home, to: 2)
      try await tracking.group(of: [.grace])
      try await tracking.store([GroupChange(.joined, of: TestUser.grace.id, in: home, state: .inactive)])
      try await tracking.watch([WatchedGroup(home, after: 1)], as: .grace) { _, reader in
        let snapshot = try await reader.snapshot()
        #expect(snapshot.reason == .changesGone)
        #expect(snapshot.group?.sequence == 4)
      }
    }
  }

  @Test("[TR-4] a view that resumes from before what is stored begins with a snapshot that says so")
  func changesGone() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      for number in 1...3 { try await tracking.move(.ada, in: home, to: number) }
      try await tracking.sql("delete from group_changes where sequence <= 2")
      for after in [Int64(1), 9] {
        try await tracking.watch([WatchedGroup(home, after: after)], as: .grace) { _, reader in
          let snapshot = try await reader.snapshot()
          #expect(snapshot.reason == .changesGone)
          #expect(snapshot.group?.sequence == 3)
        }
      }
    }
  }

  @Test("[TR-4] a change that no signal reported is found, and a viewer gets it in its place")
  func lostSignals() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.move(.ada, in: home, to: 1)
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        try await tracking.sql(
          """
          insert into group_changes select group_id, 2, changed_at, user_id, kind, state from group_changes;
          update groups set sequence = 2
          """)
        try await tracking.move(.ada, in: home, to: 3)
        #expect(try await reader.change().sequence == 2)
        #expect(try await reader.change().number == 3)
        try await tracking.sql(
          """
          insert into group_changes select group_id, 4, changed_at, user_id, kind, state from group_changes where sequence = 1;
          update groups set sequence = 4
          """)
        #expect(try await reader.change().sequence == 4)
      }
    }
  }

  @Test("[TR-4] two replicas show the same changes, and a viewer continues at the other one with the last number")
  func twoReplicas() async throws {
    try await RunningTracking.with { one in
      let home = try await one.group(of: [.ada, .grace])
      try await RunningTracking.with(on: one.database, one.clock) { other in
        let last = try await other.watch([WatchedGroup(home)], as: .grace) { _, reader in
          _ = try await reader.snapshot()
          for number in 1...50 { try await one.move(.ada, in: home, to: number) }
          for number in 1...49 { #expect(try await reader.change().number == number) }
          return try await reader.change().sequence
        }
        for number in 51...60 { try await other.move(.ada, in: home, to: number) }
        try await one.watch([WatchedGroup(home, after: last)], as: .grace) { _, reader in
          guard case .resumed = try await reader.next() else { throw Unexpected() }
          for number in 51...60 { #expect(try await reader.change().number == number) }
        }
      }
    }
  }
}
