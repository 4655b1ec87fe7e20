import GatewayText
import HTTPTypes
import LoopExecutor
import NIOCore
import NIOExtras
import NIOWebSocket

/// A WebSocket (RFC 6455) as one exchange. Each text message of the client is a part of the request, an empty one its end; each part
/// of the answer is a text message, and its last one a binary message, so that none is taken for another.
///
/// It is open, closing from the close frame that it sends, and over with the connection.
final class SocketHandler: ChannelInboundHandler, FlushTarget, ExchangeTransport {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let port: HTTPPort
  private let request: HTTPRequest
  private let address: String
  private let executor: LoopExecutor
  private var context: ChannelHandlerContext?
  private var exchange: Exchange?
  private var responder: (any Responder)?
  /// The message whose last frame has not arrived.
  private var message: ByteBuffer?
  private var isRequestEnded = false
  private var isClosing = false
  private var isFlushDue = false
  /// Since the last look whether the client is there.
  private var hasHeard = true
  private var hasAsked = false
  private var slowRequest: Scheduled<Void>?
  private var look: Scheduled<Void>?
  private var stall: Scheduled<Void>?
  private var ending: Scheduled<Void>?

  init(_ port: HTTPPort, _ request: HTTPRequest, address: String, executor: LoopExecutor) {
    (self.port, self.request, self.address, self.executor) = (port, request, address, executor)
  }

  /// A frame is never longer than a message, and a control frame has 125 bytes.
  var maxFrameBytes: Int { max(exchange?.maxMessageBytes ?? 0, 125) }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let exchange = Exchange(
      request, isHTTP2: false, isSocket: true, address: address, executor: executor, transport: self)
    self.exchange = exchange
    let responder = port.respond(exchange)
    // It may have answered already.
    guard !isClosing else { return }
    self.responder = responder
    slowRequest = timer(after: port.limits.requestTime) { $0.fail(.policyViolation) }
    lookAgain()
  }

  func handlerRemoved(context: ChannelHandlerContext) { finish() }

  func channelInactive(context: ChannelHandlerContext) {
    finish()
    context.fireChannelInactive()
  }

  private func finish() {
    for timer in [slowRequest, look, stall, ending] { timer?.cancel() }
    context = nil
    leave()
  }

  private func leave() {
    let left = responder
    responder = nil
    left?.leave()
  }

  private func timer(after time: TimeAmount, _ act: @escaping (SocketHandler) -> Void) -> Scheduled<Void>? {
    context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      if let self { act(self) }
    }
  }

  // MARK: From the client

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    hasHeard = true
    guard !isClosing else {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    // Clients mask what they send, and no extension was agreed on.
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(.protocolError) }
    switch frame.opcode {
    case .text where message == nil: append(frame, to: ByteBuffer())
    case .continuation:
      guard let message else { return fail(.protocolError) }
      append(frame, to: message)
    case .binary: fail(.unacceptableData)
    case .ping:
      // One that asks without reading gets no answer.
      guard context.channel.isWritable else { return }
      write(.pong, frame.unmaskedData)
    case .pong: break
    case .connectionClose: closed(by: frame.unmaskedData)
    default: fail(.protocolError)
    }
  }

  private func append(_ frame: WebSocketFrame, to begun: ByteBuffer) {
    var whole = begun
    // The only reference, so that a message in many frames is not copied with each.
    message = nil
    var bytes = frame.unmaskedData
    guard whole.readableBytes + bytes.readableBytes <= exchange?.maxMessageBytes ?? 0 else {
      return fail(.messageTooLarge)
    }
    whole.writeBuffer(&bytes)
    guard frame.fin else {
      message = whole
      return
    }
    receive(whole)
  }

  private func receive(_ message: ByteBuffer) {
    guard !isRequestEnded else { return fail(.policyViolation) }
    guard message.withUnsafeReadableBytes({ isUTF8($0.bindMemory(to: UInt8.self)) }) else {
      return fail(.dataInconsistentWithMessage)
    }
    if message.readableBytes == 0 {
      isRequestEnded = true
      slowRequest?.cancel()
      responder?.receiveEnd()
    } else {
      if exchange?.isLong ?? true { slowRequest?.cancel() }
      responder?.receive(message)
    }
  }

  /// Answers the client's close with its own code (RFC 6455, section 5.5.1).
  private func closed(by data: ByteBuffer) {
    var data = data
    guard data.readableBytes > 0 else { return end(.normalClosure) }
    guard let code = data.readInteger(as: UInt16.self), Self.isSendable(code),
      data.withUnsafeReadableBytes({ isUTF8($0.bindMemory(to: UInt8.self)) })
    else { return fail(.protocolError) }
    end(WebSocketErrorCode(codeNumber: Int(code)))
  }

  private func end(_ code: WebSocketErrorCode) {
    fail(code)
    context?.flush()
    context?.close(promise: nil)
  }

  /// Whether a peer may send the code (RFC 6455, section 7.4).
  private static func isSendable(_ code: UInt16) -> Bool {
    switch code {
    case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
    default: false
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? NIOWebSocketError else { return context.close(promise: nil) }
    if case .invalidFrameLength = error { fail(.messageTooLarge) } else { fail(.protocolError) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // A stream would outlast the process: its client goes on elsewhere.
    if event is ChannelShouldQuiesceEvent { fail(.goingAway) }
    context.fireUserInboundEventTriggered(event)
  }

  func abort() { fail(.unexpectedServerError) }

  /// Ends the exchange without an answer.
  private func fail(_ code: WebSocketErrorCode) {
    leave()
    close(code)
  }

  func setReading(_ isReading: Bool) {
    // Channels of sockets have the option; it fails where the connection is gone.
    try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
    if isReading { context?.read() }
  }

  /// Asks a client that says nothing whether it is still there, and ends a connection that does not answer.
  private func lookAgain() {
    look = timer(after: .nanoseconds(port.limits.idleTime.nanoseconds / 2)) { handler in
      if !handler.hasHeard, handler.hasAsked, handler.exchange?.isPaused == false {
        handler.context?.close(promise: nil)
        return
      }
      handler.hasAsked = !handler.hasHeard
      if handler.hasAsked { handler.write(.ping, ByteBuffer()) }
      handler.hasHeard = false
      handler.lookAgain()
    }
  }

  // MARK: To the client

  var isWritable: Bool { context?.channel.isWritable ?? false }

  func write(_ exchange: Exchange, _ head: HTTPResponse?, _ body: [UInt8], _ trailers: HTTPFields?, _ isEnd: Bool) {
    guard !isClosing, !body.isEmpty || isEnd else { return }
    write(isEnd ? .binary : .text, ByteBuffer(bytes: body))
    guard isEnd else { return }
    responder = nil
    close(.normalClosure)
  }

  private func close(_ code: WebSocketErrorCode) {
    guard !isClosing else { return }
    isClosing = true
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    write(.connectionClose, data)
    for timer in [slowRequest, look] { timer?.cancel() }
    // The client's own close frame comes before, as a rule.
    ending = timer(after: .seconds(1)) { $0.context?.close(promise: nil) }
  }

  private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    guard let context else { return }
    context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    if !isFlushDue {
      isFlushDue = true
      executor.flushAfterBurst(self)
    }
    if !context.channel.isWritable { watchStall() }
  }

  func flush() {
    isFlushDue = false
    context?.flush()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      stall?.cancel()
      stall = nil
      responder?.becameWritable()
    } else {
      watchStall()
    }
    context.fireChannelWritabilityChanged()
  }

  /// Ends a connection whose client takes nothing for long.
  private func watchStall() {
    guard stall == nil else { return }
    stall = timer(after: port.limits.stallTime) { $0.context?.close(promise: nil) }
  }
}
