import Blocks
import HostileClients
import Identifiers
import LoopExecutor
import Postgres
import TTRPC
import TTRPCClient
import TandemTracking
import TestSupport
import Testing
import TrackingDomain
import TrackingHandlers
import TrackingStore

@Suite("watching groups", .timeLimit(.minutes(5)))
struct WatchTests {
  @Test("[TR-4] a viewer gets a snapshot of all members, then each change with the next number")
  func snapshotThenChanges() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.move(.ada, in: home, to: 1)
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        let snapshot = try await reader.snapshot()
        #expect(snapshot.group?.sequence == 1)
        #expect(snapshot.group?.members.map(\.username) == ["ada", "grace.h"])
        #expect(snapshot.reason == .requested)
        for number in 2...5 { try await tracking.move(.ada, in: home, to: number) }
        for number in 2...5 {
          let change = try await reader.change()
          #expect(change.sequence == Int64(number))
          #expect(change.number == number)
        }
      }
    }
  }

  @Test("[TR-4] [ID-22] T-7: a changed username reaches open views, and those that resume")
  func renamed() async throws {
    try await RunningTracking.with { tracking in
      let (home, other) = (
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.grace, .alan])
      )
      try await tracking.watch([WatchedGroup(home), WatchedGroup(other)], as: .grace) { _, reader in
        for _ in 1...2 { #expect(try await reader.snapshot().reason == .requested) }
        try await tracking.rename(.ada, to: "countess")
        let again = try await reader.snapshot()
        #expect(again.reason == .visibilityChanged && again.group?.groupID == home.description)
        #expect(again.group?.members.map(\.username).sorted() == ["countess", "grace.h"])
        try await tracking.move(.ada, in: home, to: 1)
        #expect(try await reader.change().sequence == 2)
      }
      try await tracking.watch([WatchedGroup(home, after: 0)], as: .grace) { _, reader in
        let resumed = try await reader.snapshot()
        #expect(resumed.group?.members.map(\.username).sorted() == ["countess", "grace.h"])
      }
      #expect(try await tracking.value("select sequence from groups where id = '\(other)'") == "0")
    }
  }

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
        return try session.run("explain execute look (array['\(home)'::uuid], array[1], '\(Someone.grace.id)')")
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
          "explain (analyze, buffers, timing off) execute look (array['\(home)'::uuid], array[1], '\(Someone.grace.id)')"
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

  @Test("[TR-4] a viewer who reads too slowly is dropped with the numbers to continue from, and misses nothing")
  func slowViewer() async throws {
    try await RunningTracking.with(["--watch-queue", "16"]) { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      let (seen, positions) = (Gathered<Int64>(), Gathered<WatchPosition>())
      let status = try await refusal {
        try await tracking.locations.watch(Someone.grace.options) { requests, responses in
          try await requests.send(WatchRequest(add: [WatchedGroup(home)]))
          var iterator = responses.makeAsyncIterator()
          _ = try await iterator.next()
          // Too many for a signal, so that they are read from the log, more at a time than the queue takes.
          let members = (0..<500).map { GroupChange.moved(.ada, in: home, to: $0, at: tracking.clock.now) }
          for _ in 0..<2 { try await tracking.store(members) }
          while let message = try await iterator.next() {
            switch message.content {
            case .changes(let changes): for change in changes.changes { seen.add(change.sequence) }
            case .position(let position): positions.add(position)
            default: throw Unexpected()
            }
          }
        }
      }
      #expect(status.code == .resourceExhausted && status.reason == "VIEWER_TOO_SLOW")
      let position = try #require(positions.all.first?.groups.first)
      #expect(position.after == seen.all.last ?? 0)
      try await tracking.watch([position], as: .grace) { _, reader in
        guard case .resumed = try await reader.next() else { throw Unexpected() }
        while seen.all.last != 1_000 { seen.add(try await reader.change().sequence) }
      }
      #expect(seen.all == Array(1...1_000))
    }
  }

  @Test("[TR-4] views that are never read are ended, and hold up no other viewer")
  func unreadViews() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace, .alan])
      // All of Grace's places.
      let request = WatchGroupsRequest(accessToken: Someone.grace.id.description, groups: [WatchedGroup(home)])
      let hostile = try HostileConnections(1, to: tracking.service.port, from: 2, receiveBuffer: 8_192)
      hostile.add(
        HostileFrames.calls(
          32, of: "tandem.tracking.v1.Locations/WatchGroups", payload: request.serialized(),
          timeout: 3_600_000_000_000))
      hostile.push(.never)
      func graceWatches() async throws {
        try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in _ = try await reader.snapshot() }
      }
      try await until("they have begun") { await reason { try await graceWatches() } == "TOO_MANY_STREAMS" }

      try await tracking.watch([WatchedGroup(home)], as: .alan) { _, reader in
        _ = try await reader.snapshot()
        var last: Int64 = 0
        for _ in 0..<400 {
          let members = (0..<500).map { GroupChange.moved(.ada, in: home, to: $0, at: tracking.clock.now) }
          try await tracking.store(members)
          for _ in members {
            last += 1
            #expect(try await reader.change().sequence == last)
          }
          if await reason({ try await graceWatches() }) == nil { return }
        }
        Issue.record("they are still open after \(last) changes")
      }
      withExtendedLifetime(hostile) {}
    }
  }

  @Test("[TR-4] groups are added and dropped on the way, and nothing of a dropped one follows its end")
  func addsAndDrops() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [.ada, .grace])
      let club = try await tracking.group(2, of: [.ada, .grace])
      try await tracking.watch([WatchedGroup(home)], as: .grace) { requests, reader in
        _ = try await reader.snapshot()
        try await requests.send(WatchRequest(add: [WatchedGroup(club)]))
        #expect(try await reader.snapshot().group?.groupID == club.description)
        try await tracking.move(.ada, in: club, to: 1)
        #expect(try await reader.change().groupID == club.description)
        try await requests.send(WatchRequest(dropGroupIds: [home.description]))
        let end = try await reader.end()
        #expect(end.groupID == home.description)
        #expect(end.reason == .dropped)
        try await tracking.move(.ada, in: home, to: 2)
        try await tracking.move(.ada, in: club, to: 3)
        #expect(try await reader.change().number == 3)
        try await requests.send(WatchRequest(add: [WatchedGroup(home, after: 0)]))
        guard case .resumed = try await reader.next() else { throw Unexpected() }
        #expect(try await reader.change().number == 2)
      }
    }
  }

  @Test("[ID-43] [TR-12] a removed member's view of the group ends, without anything that happened after the removal")
  func removedMember() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [.ada, .grace])
      let club = try await tracking.group(2, of: [.ada])
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        try await tracking.move(.ada, in: home, to: 1)
        try await tracking.remove(.grace, from: home)
        try await tracking.move(.ada, in: home, to: 2)
        #expect(try await reader.change().number == 1)
        let end = try await reader.end()
        #expect(end.reason == .notAMember)
        #expect(end.groupID == home.description)
      }
      try await tracking.watch([WatchedGroup(home, after: 1), WatchedGroup(club)], as: .grace) { _, reader in
        let ends = [try await reader.end(), try await reader.end()]
        #expect(ends.map(\.reason) == [.notFound, .notFound])
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
      try await tracking.store([GroupChange(.joined, of: Someone.grace.id, in: home, state: .inactive)])
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

  @Test("[C-10] users who have blocked one another see nothing of each other, from the block to its end")
  func blocks() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace, .alan])
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        let block = Block(of: Someone.grace.id, by: Someone.ada.id)
        try await tracking.block(block)
        let blocked = try await reader.snapshot()
        #expect(blocked.reason == .visibilityChanged)
        #expect(blocked.group?.members.map(\.username).sorted() == ["alan", "grace.h"])
        try await tracking.move(.ada, in: home, to: 1)
        try await tracking.move(.alan, in: home, to: 2)
        #expect(try await reader.change().number == 2)
        try await tracking.unblock(block)
        #expect(try await reader.snapshot().group?.members.count == 3)
        try await tracking.move(.ada, in: home, to: 3)
        #expect(try await reader.change().number == 3)
      }
    }
  }

  @Test("[C-10] a view that resumes after a block is sent nothing from under the block", arguments: [true, false])
  func resumesAfterBlock(leaves: Bool) async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      let block = Block(of: Someone.grace.id, by: Someone.ada.id)
      // The view ends while the block is in force, or before it.
      var after: Int64 = 0
      if leaves {
        try await tracking.block(block)
        after = 2
        try await tracking.move(.ada, in: home, to: 1)
        // The end of the block is told to no group, as they have none in common then.
        try await tracking.remove(.ada, from: home)
        try await tracking.unblock(block)
      } else {
        try await tracking.move(.ada, in: home, to: 1)
        after = 1
        try await tracking.block(block)
        for number in 2...5 { try await tracking.move(.ada, in: home, to: number) }
        try await tracking.unblock(block)
      }
      try await tracking.watch([WatchedGroup(home, after: after)], as: .grace) { _, reader in
        let snapshot = try await reader.snapshot()
        #expect(snapshot.reason == .visibilityChanged)
        #expect(snapshot.group?.members.count == (leaves ? 1 : 2))
        try await tracking.move(.grace, in: home, to: 6)
        #expect(try await reader.change().number == 6)
      }
    }
  }

  @Test("[C-10] the end of a block that one group reports first shows nothing from under the block in another")
  func blockEndsInSeveralGroups() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [.ada, .grace])
      let club = try await tracking.group(2, of: [.ada, .grace])
      let block = Block(of: Someone.grace.id, by: Someone.ada.id)
      try await tracking.block(block)
      try await tracking.watch([WatchedGroup(home), WatchedGroup(club)], as: .grace) { _, reader in
        for _ in 0..<2 { #expect(try await reader.snapshot().group?.members.count == 1) }
        // Without signals, so that the changes of both groups are found together, those of one of them first.
        let (ada, grace) = (Someone.ada.id, Someone.grace.id)
        try await tracking.sql(
          """
          delete from blocks;
          insert into group_changes (group_id, sequence, changed_at, user_id, kind, state, latitude, longitude, recorded_at)
          select one.group_id, one.sequence, before.changed_at, one.user_id, one.kind, 'ACTIVE', one.latitude, one.latitude,
            case when one.latitude is not null then before.changed_at end
          from (values
            ('\(home)'::uuid, 3, '\(ada)'::uuid, 'POSITION', 1::float8), ('\(home)', 4, '\(grace)', 'VISIBILITY', null),
            ('\(club)', 3, '\(ada)', 'POSITION', 1), ('\(club)', 4, '\(grace)', 'VISIBILITY', null)
          ) as one (group_id, sequence, user_id, kind, latitude)
          join group_changes as before on before.group_id = one.group_id and before.sequence = 1;
          update groups set sequence = 4
          """)
        for _ in 0..<2 { #expect(try await reader.snapshot().group?.members.count == 2) }
      }
    }
  }

  @Test("[C-10] a blocked user who joins a group later is not seen in it")
  func blockedUserJoins() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.grace, .alan])
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        try await tracking.own.write(AddBlocks([Block(of: Someone.grace.id, by: Someone.ada.id)]))
        try await tracking.group(of: [.ada])
        try await tracking.store([GroupChange(.joined, of: Someone.ada.id, in: home, state: .inactive)])
        try await tracking.move(.ada, in: home, to: 1)
        try await tracking.move(.alan, in: home, to: 2)
        #expect(try await reader.change().number == 2)
      }
    }
  }

  @Test("[TR-1] a member who stops sharing disappears from live changes, and the last position stays in the snapshot")
  func stopped() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.sql(
        "update memberships set last_latitude = 1, last_longitude = 2, last_recorded_at = now(), last_kept_at = joined_at where user_id = '\(Someone.ada.id)'"
      )
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        let members = try await reader.snapshot().group?.members ?? []
        #expect(members.first { $0.username == "ada" }?.position?.latitude == 1)
        try await tracking.store([GroupChange(.state, of: Someone.ada.id, in: home, state: .inactive)])
        guard case .member(let member) = try await reader.change().change else { throw Unexpected() }
        #expect(member.state == .inactive)
        #expect(member.position == nil)
      }
    }
  }

  @Test("[TR-4] a client without bidirectional streams watches groups until it is a member of none")
  func serverStream() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      let call = WatchGroupsRequest(accessToken: Someone.grace.id.description, groups: [WatchedGroup(home)])
      try await tracking.locations.watchGroups(call, CallOptions(timeout: .seconds(60))) { responses in
        var reader = WatchReader(responses)
        _ = try await reader.snapshot()
        try await tracking.move(.ada, in: home, to: 1)
        #expect(try await reader.change().number == 1)
        try await tracking.remove(.grace, from: home)
        #expect(try await reader.end().reason == .notAMember)
        for try await message in responses { Issue.record("sent after the end: \(message)") }
      }
    }
  }

  @Test("a client that sends no metadata gives its token in the first message")
  func tokenInFirstMessage() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.locations.watch(CallOptions(timeout: .seconds(60))) { requests, responses in
        try await requests.send(WatchRequest(accessToken: Someone.grace.id.description))
        try await requests.send(WatchRequest(add: [WatchedGroup(home)]))
        var reader = WatchReader(responses)
        #expect(try await reader.snapshot().group?.members.count == 2)
      }
    }
  }

  @Test("[C-2] a bad message ends the stream, and every bad field is named")
  func badInput() async throws {
    try await RunningTracking.with { tracking in
      let status = try await refusal {
        try await tracking.locations.watch(Someone.ada.options) { requests, responses in
          try await requests.send(
            WatchRequest(
              add: [
                WatchedGroup(groupID: "x"), WatchedGroup(groupID: Someone.ada.id.description, after: -1, epoch: -1),
              ],
              dropGroupIds: ["y"]))
          for try await _ in responses {}
        }
      }
      #expect(status.code == .invalidArgument)
      #expect(status.fields == ["add[0].group_id", "add[1].after", "add[1].epoch", "drop_group_ids[0]"])
      let many = (0..<201).map { WatchedGroup(groupID: UserID(UUID7(high: 0x7000, low: UInt64($0))).description) }
      let tooMany = try await refusal {
        try await tracking.locations.watchGroups(WatchGroupsRequest(groups: many), Someone.ada.options) { responses in
          for try await _ in responses {}
        }
      }
      #expect(tooMany.fieldReasons == ["TOO_MANY_GROUPS"])
      let none = try await refusal {
        try await tracking.locations.watchGroups(WatchGroupsRequest(), Someone.ada.options) { responses in
          for try await _ in responses {}
        }
      }
      #expect(none.fieldReasons == ["GROUPS_REQUIRED"])
    }
  }

  @Test("[TR-12] strangers get nothing of a group")
  func strangers() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      try await tracking.watch([WatchedGroup(home)], as: .alan) { _, reader in
        let end = try await reader.end()
        #expect(end.reason == .notFound)
      }
      let status = try await refusal {
        try await tracking.locations.getMembers(
          GetMembersRequest(groupIds: [home.description]), Someone.alan.options)
      }
      #expect(status.reason == "GROUP_NOT_FOUND")
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

/// A message that the test does not expect.
struct Unexpected: Error {}

/// The loop of clients with settings of their own.
private let loops = LoopGroup(threads: 1)
