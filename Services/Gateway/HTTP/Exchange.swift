import HTTPTypes
import LoopExecutor
import NIOCore
import NIOHTTPTypes
import NIOWebSocket

/// Takes one request and answers it. Confined to the connection's event loop.
public protocol Responder: AnyObject {
  /// A part of the request's body.
  func receive(_ bytes: ByteBuffer)
  /// The request is complete.
  func receiveEnd()
  /// The client has left: nothing can be written any more.
  func leave()
  /// More may be written, after ``Exchange/isWritable`` was false.
  func becameWritable()
}

/// What an answer is written to. Confined to the connection's event loop.
protocol ExchangeTransport: AnyObject {
  var isWritable: Bool { get }
  func setReading(_ isReading: Bool)
  func abort()
  func write(_ exchange: Exchange, _ head: HTTPResponse?, _ body: [UInt8], _ trailers: HTTPFields?, _ isEnd: Bool)
}

/// One request, and the way to its answer. Confined to the connection's event loop.
public final class Exchange {
  public let request: HTTPRequest
  public let isHTTP2: Bool
  /// Whether it is a WebSocket: each part of its body is a message, and so is each part of the answer, which has no head.
  public let isSocket: Bool
  /// The client's address, without its port.
  public let address: String
  /// Runs on the connection's event loop.
  public let executor: LoopExecutor
  /// Whether the request may take as long as it likes to arrive, as a stream does.
  public var isLong = false
  /// Bytes of the longest message of a WebSocket.
  public var maxMessageBytes = 64 << 10
  /// Fields that the head of the answer has beside its own.
  public var answerFields = HTTPFields()
  /// Whether nothing more of the request is read for now, which in the end stops a client that sends it.
  public var isPaused = false {
    didSet { if isPaused != oldValue { transport?.setReading(!isPaused) } }
  }
  private weak var transport: (any ExchangeTransport)?

  init(
    _ request: HTTPRequest, isHTTP2: Bool, isSocket: Bool, address: String, executor: LoopExecutor,
    transport: any ExchangeTransport
  ) {
    (self.request, self.isHTTP2, self.isSocket) = (request, isHTTP2, isSocket)
    (self.address, self.executor, self.transport) = (address, executor, transport)
  }

  /// Whether the client takes what is written; else wait for ``Responder/becameWritable()``.
  public var isWritable: Bool { transport?.isWritable ?? true }

  /// Whether the client wants no more of its connection of HTTP/1.1 than the answer (RFC 9112, section 9.6).
  var asksToClose: Bool {
    request.headerFields[values: .connection].contains { value in
      value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.contains("close")
    }
  }

  /// Ends the connection, or the stream of HTTP/2, within the answer: the client finds that it is not complete.
  public func abort() { transport?.abort() }

  /// Writes a part of the answer: the head first, `isEnd` with the last. What is written after the client left is dropped.
  public func write(head: HTTPResponse?, body: [UInt8], trailers: HTTPFields?, isEnd: Bool) {
    var head = head
    if head != nil { head?.headerFields.append(contentsOf: answerFields) }
    transport?.write(self, head, body, trailers, isEnd)
  }
}

/// Joins the parts of requests with their responders, on a connection of HTTP/1 or a stream of HTTP/2.
final class ExchangeHandler: ChannelInboundHandler, RemovableChannelHandler, FlushTarget, ExchangeTransport {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  private let port: HTTPPort
  private let isHTTP2: Bool
  private let address: String
  private let executor: LoopExecutor
  private var context: ChannelHandlerContext?
  private var current: (exchange: Exchange, responder: any Responder)?
  private var isRequestEnded = true
  private var isAnswerEnded = true
  private var isFlushDue = false
  private var closesAfterAnswer = false
  private var idle: Scheduled<Void>?
  private var slowRequest: Scheduled<Void>?
  private var stall: Scheduled<Void>?
  /// How many long parts of answers the client has taken.
  private var takenParts = 0
  /// Sends a complete answer whose request is not.
  private var early: Scheduled<Void>?

  init(_ port: HTTPPort, isHTTP2: Bool, address: String, executor: LoopExecutor) {
    (self.port, self.isHTTP2, self.address, self.executor) = (port, isHTTP2, address, executor)
  }

  var isWritable: Bool { context?.channel.isWritable ?? false }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if !isHTTP2 { waitForRequest(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The request follows, and its answer says what is wrong with it.
    if error is NIOWebSocketUpgradeError { return }
    // A broken request was answered by the handlers before; a stream that was reset, or a connection that was lost, has nothing left.
    context.close(promise: nil)
  }

  private func end() {
    for timer in [idle, slowRequest, stall, early] { timer?.cancel() }
    let left = current
    (context, current) = (nil, nil)
    if !isAnswerEnded { left?.responder.leave() }
  }

  // MARK: The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What one read of the socket makes ready runs, and is flushed, once it is all here.
    switch unwrapInboundIn(data) {
    case .head(let request): begin(request, context)
    case .body(let bytes): if !isAnswerEnded { current?.responder.receive(bytes) }
    case .end:
      isRequestEnded = true
      slowRequest?.cancel()
      if !isAnswerEnded { current?.responder.receiveEnd() } else { finish() }
    }
  }

  private func begin(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
    idle?.cancel()
    (isRequestEnded, isAnswerEnded) = (false, false)
    let exchange = Exchange(
      request, isHTTP2: isHTTP2, isSocket: false, address: address, executor: executor, transport: self)
    if !isHTTP2, request.headerFields[.expect]?.lowercased() == "100-continue" {
      context.write(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      flushLater()
    }
    let responder = port.respond(exchange)
    // It may have answered already.
    guard self.context != nil, !isAnswerEnded else { return }
    current = (exchange, responder)
    guard !exchange.isLong else { return }
    slowRequest = timer(after: port.limits.requestTime) { $0.context?.close(promise: nil) }
  }

  private func waitForRequest(_ context: ChannelHandlerContext) {
    idle = timer(after: port.limits.idleTime) { $0.context?.close(promise: nil) }
  }

  private func timer(after time: TimeAmount, _ act: @escaping (ExchangeHandler) -> Void) -> Scheduled<Void>? {
    context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      if let self { act(self) }
    }
  }

  func setReading(_ isReading: Bool) {
    // Channels of sockets and of streams have the option; it fails where the connection is gone.
    try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
    if isReading { context?.read() }
  }

  func abort() { context?.close(promise: nil) }

  // MARK: The answer

  func write(_ exchange: Exchange, _ head: HTTPResponse?, _ body: [UInt8], _ trailers: HTTPFields?, _ isEnd: Bool) {
    guard let context, !isAnswerEnded else { return }
    if var head {
      if !isHTTP2, port.isDraining || exchange.asksToClose || isEnd && !isRequestEnded {
        head.headerFields[.connection] = "close"
        closesAfterAnswer = true
      }
      context.write(wrapOutboundOut(.head(head)), promise: nil)
    }
    writeBody(body, context)
    if isEnd {
      isAnswerEnded = true
      current = nil
      context.write(wrapOutboundOut(.end(trailers)), promise: nil)
    }
    if isHTTP2, isEnd, !isRequestEnded, !exchange.isLong {
      // curl 7.88 loses an answer that is complete before its request is.
      early = timer(after: .milliseconds(100)) { $0.flushLater() }
    } else {
      flushLater()
    }
    if isEnd { finish() } else if !context.channel.isWritable { watchStall() }
  }

  /// Writes a long body in parts, each of which says when the client has taken it.
  private func writeBody(_ body: [UInt8], _ context: ChannelHandlerContext) {
    guard body.count > Self.partBytes else {
      if !body.isEmpty {
        context.write(wrapOutboundOut(.body(context.channel.allocator.buffer(bytes: body))), promise: nil)
      }
      return
    }
    let whole = context.channel.allocator.buffer(bytes: body)
    for start in stride(from: 0, to: body.count, by: Self.partBytes) {
      guard let part = whole.getSlice(at: start, length: min(Self.partBytes, body.count - start)) else { return }
      let taken = context.eventLoop.makePromise(of: Void.self)
      taken.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.takenParts += 1 }
      context.write(wrapOutboundOut(.body(part)), promise: taken)
    }
  }

  private static let partBytes = 64 << 10

  private func finish() {
    guard let context, isAnswerEnded else { return }
    guard isRequestEnded, !closesAfterAnswer else {
      // The rest of the request is dropped, for a moment: a client that still sends would not read its answer if the connection were reset.
      slowRequest?.cancel()
      slowRequest = timer(after: isRequestEnded ? .milliseconds(50) : .seconds(1)) { $0.context?.close(promise: nil) }
      return
    }
    slowRequest?.cancel()
    early?.cancel()
    if isHTTP2 { flushLater() } else { waitForRequest(context) }
  }

  private func flushLater() {
    guard !isFlushDue else { return }
    isFlushDue = true
    executor.flushAfterBurst(self)
  }

  func flush() {
    isFlushDue = false
    context?.flush()
    // A stream is over once the client has taken all of its answer, for which it may leave no room.
    if isHTTP2, isAnswerEnded, context?.channel.isActive == true { watchStall() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      if !(isHTTP2 && isAnswerEnded) {
        stall?.cancel()
        stall = nil
      }
      current?.responder.becameWritable()
    } else {
      watchStall()
    }
    context.fireChannelWritabilityChanged()
  }

  /// Ends a connection whose client takes nothing for long.
  private func watchStall() {
    guard stall == nil else { return }
    let takenBefore = takenParts
    stall = timer(after: port.limits.stallTime) { handler in
      handler.stall = nil
      if handler.takenParts == takenBefore { handler.context?.close(promise: nil) } else { handler.watchStall() }
    }
  }
}
