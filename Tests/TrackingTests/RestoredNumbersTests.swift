import Identifiers
import TTRPC
import TandemChat
import TandemTracking
import TestSupport
import Testing
import TrackingDomain

@Suite("numbers of messages and changes from before a restore", .timeLimit(.minutes(5)))
struct RestoredNumbersTests {
  /// That of a database that was never restored.
  private static let earlier: Int64 = 1

  @Test(
    "[TR-33] 29 B8: a position from before a restore lists everything; one of now, or of a client that does not know, what came behind it"
  )
  func chat() async throws {
    try await RunningTracking.with { tracking in
      try await tracking.restore()
      let id = try await tracking.conversation(of: [.ada, .grace])
      let (current, fifth) = try await tracking.connected(.ada) { device in
        let opened = try await device.open(id)
        var numbers: [Int64] = []
        for number in 1...6 { numbers.append(try await device.say("\(number)", in: id).sequence) }
        return (opened.position?.epoch ?? 0, numbers[4])
      }
      #expect(current > Self.earlier)
      for (epoch, first) in [(Self.earlier, "1"), (current, "6"), (0, "6")] {
        // Also where the client knows more numbers than there are: what was sent after the backup is gone.
        for known in first == "1" ? [fifth, 60] : [fifth] {
          let seen = try await tracking.connected(.grace) { device in
            try await device.open(id, after: Position(sequence: known, epoch: epoch))
            return try await eventually("the last message has come") {
              let texts = device.texts(id).filter { Int($0) != nil }
              return texts.last == "6" ? (texts, device.position?.epoch ?? 0) : nil
            }
          }
          #expect(seen.0.first == first, "after \(known) of \(epoch)")
          #expect(seen.1 == current)
        }
      }
    }
  }

  @Test(
    "[TR-4] 29 B8: a group's number from before a restore begins with a snapshot; one of now, or without an epoch, continues"
  )
  func watch() async throws {
    try await RunningTracking.with { tracking in
      try await tracking.restore()
      let home = try await tracking.group(of: [.ada, .grace])
      for number in 1...6 { try await tracking.move(.ada, in: home, to: number) }
      let start = WatchedGroup(groupID: home.description)
      let current = try await tracking.watch([start], as: .grace) { _, reader in
        try await reader.snapshot().group?.epoch ?? 0
      }
      #expect(current > Self.earlier)
      let known = { (epoch: Int64) in WatchedGroup(groupID: home.description, after: 5, epoch: epoch) }
      try await tracking.watch([known(Self.earlier)], as: .grace) { _, reader in
        let snapshot = try await reader.snapshot()
        #expect(snapshot.reason == .changesGone)
      }
      for epoch in [current, 0] {
        try await tracking.watch([known(epoch)], as: .grace) { _, reader in
          guard case .resumed(let group) = try await reader.next() else {
            Issue.record("it does not continue")
            return
          }
          #expect(group.after == 5 && group.epoch == current)
          #expect(try await reader.change().sequence == 6)
        }
      }
    }
  }
}

extension RunningTracking {
  /// Does to the numbering what the first start after a restore does.
  fileprivate func restore() async throws { try await sql("update event_log set transaction_offset = 1::bigint << 44") }
}
