import LoopExecutor
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

@Suite("What is left of a connection")
struct ConnectionLifetimeTests {
  @Test("a server's connection that closes without having been active is not kept")
  func server() throws {
    weak var handler: (any ChannelInboundHandler)?
    do {
      let loop = EmbeddedEventLoop()
      let connection = RPCServer.connection(
        answering: Router(), limits: .init(), on: LoopExecutor(loop: loop, index: 0), logger: Logger(label: "test"))
      handler = connection
      let channel = EmbeddedChannel(handler: connection, loop: loop)
      _ = try channel.finish(acceptAlreadyClosed: true)
    }
    #expect(handler == nil)
  }
}
