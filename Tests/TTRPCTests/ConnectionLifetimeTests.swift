import LoopExecutor
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

@Suite("What is left of a connection")
struct ConnectionLifetimeTests {
  /// A channel that closes without having been active, as one does whose connection is refused.
  private func neverActive(_ makeHandler: (LoopExecutor) -> any ChannelInboundHandler & Sendable) throws -> Bool {
    weak var handler: (any ChannelInboundHandler)?
    do {
      let loop = EmbeddedEventLoop()
      let made = makeHandler(LoopExecutor(loop: loop, index: 0))
      handler = made
      let channel = EmbeddedChannel(handler: made, loop: loop)
      _ = try channel.finish(acceptAlreadyClosed: true)
    }
    return handler == nil
  }

  @Test("a client's connection that never came up is not kept")
  func client() throws {
    #expect(try neverActive { ClientConnection(executor: $0, unreadLimit: 1) })
  }

  @Test("nor is a server's")
  func server() throws {
    #expect(
      try neverActive {
        RPCServer.connection(answering: Router(), limits: .init(), on: $0, logger: Logger(label: "test"))
      })
  }
}
