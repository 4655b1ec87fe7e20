import Blocks
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

@Suite("what views of groups do not show", .timeLimit(.minutes(5)))
struct WatchVisibilityTests {
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

  @Test("[C-10] users who have blocked one another see nothing of each other, from the block to its end")
  func blocks() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(of: [.ada, .grace, .alan])
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        let block = Block(of: TestUser.grace.id, by: TestUser.ada.id)
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
      let block = Block(of: TestUser.grace.id, by: TestUser.ada.id)
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
      let block = Block(of: TestUser.grace.id, by: TestUser.ada.id)
      try await tracking.block(block)
      try await tracking.watch([WatchedGroup(home), WatchedGroup(club)], as: .grace) { _, reader in
        for _ in 0..<2 { #expect(try await reader.snapshot().group?.members.count == 1) }
        // Without signals, so that the changes of both groups are found together, those of one of them first.
        let (ada, grace) = (TestUser.ada.id, TestUser.grace.id)
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
        try await tracking.own.write(AddBlocks([Block(of: TestUser.grace.id, by: TestUser.ada.id)]))
        try await tracking.group(of: [.ada])
        try await tracking.store([GroupChange(.joined, of: TestUser.ada.id, in: home, state: .inactive)])
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
        "update memberships set last_latitude = 1, last_longitude = 2, last_recorded_at = now(), last_kept_at = joined_at where user_id = '\(TestUser.ada.id)'"
      )
      try await tracking.watch([WatchedGroup(home)], as: .grace) { _, reader in
        let members = try await reader.snapshot().group?.members ?? []
        #expect(members.first { $0.username == "ada" }?.position?.latitude == 1)
        try await tracking.store([GroupChange(.state, of: TestUser.ada.id, in: home, state: .inactive)])
        guard case .member(let member) = try await reader.change().change else { throw Unexpected() }
        #expect(member.state == .inactive)
        #expect(member.position == nil)
      }
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
          GetMembersRequest(groupIds: [home.description]), TestUser.alan.options)
      }
      #expect(status.reason == "GROUP_NOT_FOUND")
    }
  }
}
