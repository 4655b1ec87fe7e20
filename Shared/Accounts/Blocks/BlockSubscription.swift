public import Events
public import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import Usernames

extension EventSubscription {
  /// Stores identity's blocks between users ([C-10]), by a consumer with the name `blocks`.
  ///
  /// It begins with the first event. Where events are gone, it resyncs: it asks identity for all blocks, and receives
  /// changes during that as events afterwards.
  ///
  /// - Parameters:
  ///   - added: runs for new blocks, in the transaction that stores them.
  ///   - resynced: runs after a resync, in the transaction that stores all blocks: any of them may be new.
  public static func blocks(
    added: @escaping @Sendable ([Block], Transaction) async throws -> Void = { _, _ in },
    resynced: @escaping @Sendable (Transaction) async throws -> Void = { _ in }
  ) -> EventSubscription {
    EventSubscription(
      of: "identity", name: "blocks", beginning: .first,
      handlers: [
        EventHandler(batchesOf: UserBlocked.self) { events, tx in
          let blocks = try events.map { try Block(wire: $0.message.blockerUserID, $0.message.blockedUserID) }
          try await tx.execute(AddBlocks(blocks))
          try await added(blocks, tx)
        },
        EventHandler(batchesOf: UserUnblocked.self) { events, tx in
          let blocks = try events.map { try Block(wire: $0.message.blockerUserID, $0.message.blockedUserID) }
          try await tx.execute(RemoveBlocks(blocks))
        },
      ],
      preparation: holdingUsers,
      resync: { source in
        let blocks = try await allBlocks(source.producer)
        return { tx in
          try await tx.execute(RemoveAllBlocks())
          for start in stride(from: 0, to: blocks.count, by: stored) {
            try await tx.execute(AddBlocks(Array(blocks[start..<min(start + stored, blocks.count)])))
          }
          try await resynced(tx)
        }
      })
  }

  /// Blocks stored by one statement.
  private static let stored = 5_000
  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// A page takes identity one lookup in an index.
  private static let timeout = Duration.seconds(10)

  private static func allBlocks(_ identity: any RPCChannel) async throws -> [Block] {
    let directory = DirectoryClient(identity)
    var (blocks, call) = ([Block](), ListBlocksRequest(pageSize: pageSize))
    repeat {
      let page = try await directory.listBlocks(call, CallOptions(timeout: timeout))
      for block in page.blocks { blocks.append(try Block(wire: block.blockerUserID, block.blockedUserID)) }
      call.pageToken = page.nextPageToken
    } while !call.pageToken.isEmpty
    return blocks
  }
}
