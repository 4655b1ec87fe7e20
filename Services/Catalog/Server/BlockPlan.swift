import CatalogStore
import Events
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

extension ConsumerPlan {
  /// Keeps who keeps whom away, as identity tells it ([C-10]).
  ///
  /// Where the news is gone identity is asked for all of it; what changes meanwhile is told again afterwards.
  static let blocks = ConsumerPlan(
    of: "identity", name: "blocks",
    effects: [
      EventEffect(of: UserBlocked.self) { event, tx in
        try await tx.execute(AddBlocks([try Block(event.message.blockerUserID, event.message.blockedUserID)]))
      },
      EventEffect(of: UserUnblocked.self) { event, tx in
        try await tx.execute(RemoveBlock(try Block(event.message.blockerUserID, event.message.blockedUserID)))
      },
    ],
    rebuild: { source in
      let blocks = try await allBlocks(source.producer)
      return { tx in
        try await tx.execute(RemoveAllBlocks())
        for start in stride(from: 0, to: blocks.count, by: stored) {
          try await tx.execute(AddBlocks(Array(blocks[start..<min(start + stored, blocks.count)])))
        }
      }
    })

  /// Blocks that are stored by one statement.
  private static let stored = 5_000
  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// A page is one look at an index.
  private static let patience = Duration.seconds(10)

  private static func allBlocks(_ identity: any RPCChannel) async throws -> [CatalogStore.Block] {
    let directory = DirectoryClient(identity)
    var (blocks, call) = ([CatalogStore.Block](), ListBlocksRequest(pageSize: pageSize))
    repeat {
      let page = try await directory.listBlocks(call, CallOptions(timeout: patience))
      for block in page.blocks { blocks.append(try CatalogStore.Block(block.blockerUserID, block.blockedUserID)) }
      call.pageToken = page.nextPageToken
    } while !call.pageToken.isEmpty
    return blocks
  }
}

extension CatalogStore.Block {
  /// The ids are nobody's.
  private struct NobodyNamed: Error {}

  fileprivate init(_ blocker: String, _ blocked: String) throws {
    guard let blocker = PersonID(blocker), let blocked = PersonID(blocked) else { throw NobodyNamed() }
    self.init(of: blocked, by: blocker)
  }
}
