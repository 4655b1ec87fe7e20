import HostileClients
import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingOperations
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

  @Test("[TR-4] a viewer who reads too slowly is dropped with the numbers to continue from, and misses nothing")
  func slowViewer() async throws {
    try await RunningTracking.with(["--watch-queue", "16"]) { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      let (seen, positions) = (Gathered<Int64>(), Gathered<WatchPosition>())
      let status = try await refusal {
        try await tracking.locations.watch(TestUser.grace.options) { requests, responses in
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
      let request = WatchGroupsRequest(accessToken: TestUser.grace.id.description, groups: [WatchedGroup(home)])
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

  @Test("[TR-4] a client without bidirectional streams watches groups until it is a member of none")
  func serverStream() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace])
      let call = WatchGroupsRequest(accessToken: TestUser.grace.id.description, groups: [WatchedGroup(home)])
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
        try await requests.send(WatchRequest(accessToken: TestUser.grace.id.description))
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
        try await tracking.locations.watch(TestUser.ada.options) { requests, responses in
          try await requests.send(
            WatchRequest(
              add: [
                WatchedGroup(groupID: "x"), WatchedGroup(groupID: TestUser.ada.id.description, after: -1, epoch: -1),
              ],
              dropGroupIds: ["y"]))
          for try await _ in responses {}
        }
      }
      #expect(status.code == .invalidArgument)
      #expect(status.fields == ["add[0].group_id", "add[1].after", "add[1].epoch", "drop_group_ids[0]"])
      let many = (0..<201).map { WatchedGroup(groupID: UserID(UUID7(high: 0x7000, low: UInt64($0))).description) }
      let tooMany = try await refusal {
        try await tracking.locations.watchGroups(WatchGroupsRequest(groups: many), TestUser.ada.options) { responses in
          for try await _ in responses {}
        }
      }
      #expect(tooMany.fieldReasons == ["TOO_MANY_GROUPS"])
      let none = try await refusal {
        try await tracking.locations.watchGroups(WatchGroupsRequest(), TestUser.ada.options) { responses in
          for try await _ in responses {}
        }
      }
      #expect(none.fieldReasons == ["GROUPS_REQUIRED"])
    }
  }
}

/// A message that the test does not expect.
struct Unexpected: Error {}
