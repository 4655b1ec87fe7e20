import HTTPTypes
import LoopExecutor
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// Makes a WebSocket of a connection whose first request asks for one, where the port takes it. One that it does not take stays a
/// request, and is answered as such.
final class SocketUpgrader: HTTPServerProtocolUpgrader {
  let supportedProtocol = "websocket"
  let requiredUpgradeHeaders: [String] = []

  private let port: HTTPPort
  private let address: String
  private let executor: LoopExecutor
  private let replaced: (HTTP1ToHTTPServerCodec, ExchangeHandler)
  /// Knows the answer to a client's key; what follows is done here, on the pipeline of this port.
  private let handshake: NIOWebSocketServerUpgrader

  /// - Parameter replaced: the handlers of requests, which the WebSocket's come in place of.
  init(
    _ port: HTTPPort, address: String, executor: LoopExecutor,
    replacing replaced: (HTTP1ToHTTPServerCodec, ExchangeHandler)
  ) {
    (self.port, self.address, self.executor, self.replaced) = (port, address, executor, replaced)
    handshake = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, head in
        let isTaken = Self.request(head, port).map(port.takesSocket) ?? false
        return channel.eventLoop.makeSucceededFuture(isTaken && !port.isDraining ? HTTPHeaders() : nil)
      },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
  }

  private static func request(_ head: HTTPRequestHead, _ port: HTTPPort) -> HTTPRequest? {
    guard head.method == .GET else { return nil }
    return try? HTTPRequest(head, secure: port.isSecure, splitCookie: false)
  }

  func buildUpgradeResponse(
    channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
  ) -> EventLoopFuture<HTTPHeaders> {
    handshake.buildUpgradeResponse(
      channel: channel, upgradeRequest: upgradeRequest, initialResponseHeaders: initialResponseHeaders)
  }

  func upgrade(context: ChannelHandlerContext, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<Void> {
    let pipeline = context.pipeline.syncOperations
    guard let request = Self.request(upgradeRequest, port) else { return context.close() }
    pipeline.removeHandler(replaced.1, promise: nil)
    pipeline.removeHandler(replaced.0, promise: nil)
    return context.eventLoop.makeCompletedFuture {
      let socket = SocketHandler(port, request, address: address, executor: executor)
      try pipeline.addHandler(WebSocketFrameEncoder())
      try pipeline.addHandler(socket)
      try pipeline.addHandler(
        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: socket.maxFrameBytes)), position: .before(socket))
    }
  }
}
