public import Events
public import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

extension EventSubscription {
  /// Keeps who keeps whom away, as identity tells it ([C-10]), by a consumer that is called `blocks`.
  ///
  /// It begins with the first block that was ever told. Where that news is gone identity is asked for all of it; what changes meanwhile is told
  /// again afterwards.
  ///
  /// - Parameters:
  ///   - added: what else is done about a block that is told, in the transaction that keeps it.
  ///   - resynced: what else is done once all blocks were asked for, in the transaction that keeps them: any of them may be news.
  public static func blocks(
    added: @escaping @Sendable (Block, Transaction) async throws -> Void = { _, _ in },
    resynced: @escaping @Sendable (Transaction) async throws -> Void = { _ in }
  ) -> EventSubscription {
    EventSubscription(
      of: "identity", name: "blocks", beginning: .first,
      handlers: [
        EventHandler(of: UserBlocked.self) { event, tx in
          let block = try Block(wire: event.message.blockerUserID, event.message.blockedUserID)
          try await tx.execute(AddBlocks([block]))
          try await added(block, tx)
        },
        EventHandler(of: UserUnblocked.self) { event, tx in
          let block = try Block(wire: event.message.blockerUserID, event.message.blockedUserID)
          try await tx.execute(RemoveBlock(block))
        },
      ],
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

  /// Blocks that are stored by one statement.
  private static let stored = 5_000
  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// A page is one look at an index.
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
