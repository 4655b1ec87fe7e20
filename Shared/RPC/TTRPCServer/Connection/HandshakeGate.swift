import LoopExecutor
import NIOCore

/// Has what a client sends for its handshake wait for the client's turn, so that a thousand handshakes of one network
/// keep no other client waiting for more than a few: each takes a core about half a millisecond, and those of one
/// network's connections would otherwise be made one after the other as they arrive.
///
/// It stands before TLS, and lets everything pass once the handshake is over. On the connection's event loop.
///
/// `@unchecked Sendable`: everything mutable is touched on the loop only, where a channel calls its handlers and turns
/// run.
final class HandshakeGate: ChannelInboundHandler, ChannelOutboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private let lane: LoopLane
  private let executor: LoopExecutor
  private var context: ChannelHandlerContext?
  private var waiting: ByteBuffer?
  private var wantsRead = false
  private var isOpen = false

  init(_ lane: LoopLane, _ executor: LoopExecutor) {
    self.lane = lane
    self.executor = executor
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    waiting = nil
  }

  /// Lets everything pass from now on.
  func open() { isOpen = true }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isOpen, waiting == nil { return context.fireChannelRead(data) }
    var read = unwrapInboundIn(data)
    if waiting != nil {
      waiting?.writeBuffer(&read)
    } else {
      waiting = read
      executor.goOnInTurn(of: lane) { self.pass() }
    }
  }

  private func pass() {
    guard let context, let read = waiting else { return }
    waiting = nil
    context.fireChannelRead(wrapInboundOut(read))
    context.fireChannelReadComplete()
    guard wantsRead, self.context != nil else { return }
    wantsRead = false
    context.read()
  }

  /// Nothing more is read while something waits, so that one connection holds one read at most.
  func read(context: ChannelHandlerContext) {
    if waiting == nil { context.read() } else { wantsRead = true }
  }

  /// Passed on with what was read.
  func channelReadComplete(context: ChannelHandlerContext) {
    if waiting == nil { context.fireChannelReadComplete() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    waiting = nil
    context.fireChannelInactive()
  }
}
