import LoopExecutor
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2

/// Tells HTTP/2 from HTTP/1 by a connection's first bytes, whether ALPN chose it or a client in plaintext knows it, and makes
/// the rest of the pipeline.
final class PrefaceHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  /// The first bytes of every client of HTTP/2 (RFC 9113, section 3.4).
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private let port: HTTPPort
  private let address: String
  private let executor: LoopExecutor
  private var first: ByteBuffer?
  private var timer: Scheduled<Void>?

  init(_ port: HTTPPort, address: String, executor: LoopExecutor) {
    (self.port, self.address, self.executor) = (port, address, executor)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: port.limits.handshakeTime) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // It has not asked for anything yet.
    if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if var waiting = first {
      waiting.writeBuffer(&bytes)
      bytes = waiting
    }
    let begins = bytes.readableBytesView.prefix(Self.preface.count)
    guard begins.elementsEqual(Self.preface.prefix(begins.count)) else { return go(on: context, bytes, configureHTTP1) }
    guard begins.count == Self.preface.count else {
      first = bytes
      return
    }
    go(on: context, bytes, configureHTTP2)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func go(
    on context: ChannelHandlerContext, _ bytes: ByteBuffer, _ configure: (any Channel) throws -> Void
  ) {
    do {
      try configure(context.channel)
    } catch {
      return context.close(promise: nil)
    }
    context.fireChannelRead(wrapInboundOut(bytes))
    context.fireChannelReadComplete()
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  typealias InboundOut = ByteBuffer

  private func configureHTTP1(_ channel: any Channel) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = port.limits.headerBytes
    limits.maxHeaderListSize = port.limits.headerBytes
    limits.maxHeaderFieldCount = port.limits.headerFields
    let pipeline = channel.pipeline.syncOperations
    let codec = HTTP1ToHTTPServerCodec(secure: port.isSecure)
    let exchanges = ExchangeHandler(port, isHTTP2: false, address: address, executor: executor)
    let upgrader = SocketUpgrader(port, address: address, executor: executor, replacing: (codec, exchanges))
    try pipeline.configureHTTPServerPipeline(
      withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }), withErrorHandling: true,
      withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
    try pipeline.addHandlers([codec, exchanges])
  }

  private func configureHTTP2(_ channel: any Channel) throws {
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: port.limits.streamsPerConnection),
      HTTP2Setting(parameter: .maxHeaderListSize, value: port.limits.headerBytes),
      HTTP2Setting(parameter: .initialWindowSize, value: Self.window),
    ]
    connection.targetWindowSize = Self.window
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.targetWindowSize = Self.window
    stream.outboundBufferSizeHighWatermark = 256 << 10
    stream.outboundBufferSizeLowWatermark = 64 << 10
    let management = NIOHTTP2ServerConnectionManagementHandler.Configuration(
      maxIdleTime: port.limits.idleTime, maxAge: nil, maxGraceTime: nil,
      keepalive: .init(pingInterval: .seconds(60), ackTimeout: .seconds(20)))
    let manager = NIOHTTP2ServerConnectionManagementHandler(
      eventLoop: channel.eventLoop, configuration: management)
    let (port, address, executor) = (port, address, executor)
    let errors = ConnectionEndHandler(patience: port.limits.stallTime, channel)
    let pipeline = channel.pipeline.syncOperations
    // The one that takes a delegate for frames. Its sequence of streams, each of which has all its handlers by then, is not needed.
    _ = try pipeline.configureAsyncHTTP2Pipeline(
      mode: .server, streamDelegate: manager.http2StreamDelegate, frameDelegate: errors,
      configuration: .init(connection: connection, stream: stream)
    ) { stream in
      stream.eventLoop.makeCompletedFuture {
        try stream.pipeline.syncOperations.addHandlers([
          HTTP2FramePayloadToHTTPServerCodec(),
          ExchangeHandler(port, isHTTP2: true, address: address, executor: executor),
        ])
      }
    }
    try pipeline.addHandlers([manager, errors])
    // The connection is open already: its time without a stream begins here.
    manager.channelActive(context: try pipeline.context(handler: manager))
  }

  /// Bytes that a stream may send ahead, and a connection.
  private static let window = 256 << 10
}

/// Closes a connection of HTTP/2 whose client breaks the protocol or floods it: NIO sends GOAWAY, and leaves the closing that RFC 9113,
/// section 5.4.1, asks for to its user. An error without a GOAWAY is one stream's.
///
/// And one whose client does not answer the ping with which a connection's graceful end begins, for which NIO would wait for ever.
private final class ConnectionEndHandler: ChannelInboundHandler, NIOHTTP2FrameDelegate {
  typealias InboundIn = Never

  private let patience: TimeAmount
  private let channel: any Channel
  private var isOver = false
  private var unanswered: Scheduled<Void>?

  /// - Parameter patience: how long the ping may remain unanswered.
  init(patience: TimeAmount, _ channel: any Channel) { (self.patience, self.channel) = (patience, channel) }

  func wroteFrame(_ frame: HTTP2Frame) {
    guard case .goAway(let last, let code, _) = frame.payload else { return }
    unanswered?.cancel()
    if code != .noError {
      isOver = true
    } else if last == .maxID {
      let channel = channel
      unanswered = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isOver { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    unanswered?.cancel()
    context.fireChannelInactive()
  }
}
