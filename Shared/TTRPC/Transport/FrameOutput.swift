import LoopExecutor
import NIOCore
import ProtobufC

/// The sending side of a connection: frames gathered in a burst and flushed by one write, and the senders that wait while the peer does not
/// take them. Confined to the event loop of `executor`.
final class FrameOutput: FlushTarget, @unchecked Sendable {
  // Unchecked: everything mutable is touched only on `executor.loop`; whoever holds it elsewhere goes there first.

  let executor: LoopExecutor
  /// Where messages are packed; whoever appends resets it.
  let arena: Arena
  private var context: ChannelHandlerContext?
  private var frames = FrameBuffer(allocator: ByteBufferAllocator())
  private var isFlushDue = false
  private var waiting: [WaitingSender] = []
  private var isTurnDue = false
  /// Whether anything was ever sent.
  private(set) var hasSent = false

  /// Bytes of one burst beyond which a stream's sender lets others have a turn.
  private static let burst = 65_536
  /// Requests or answers that do not wait for the end of a burst: the peer works on them while this side makes the rest. Each write costs
  /// about what one call does.
  private static let fullWrite = 32

  init(executor: LoopExecutor, arena: Arena) {
    self.executor = executor
    self.arena = arena
  }

  /// Whether there is a connection to send on.
  var isOpen: Bool { context != nil }

  func open(_ context: ChannelHandlerContext) {
    self.context = context
  }

  /// Sends nothing more, and lets everybody go who waits.
  func close() {
    context = nil
    releaseAll()
  }

  // MARK: Frames

  /// Queues what `append` adds; where it refuses, nothing was added.
  func send(_ append: (inout FrameBuffer, Arena) -> Status?) -> Status? {
    guard isOpen else { return nil }
    defer { arena.reset() }
    if let refusal = append(&frames, arena) { return refusal }
    if frames.calls >= Self.fullWrite { write() }
    if !isFlushDue {
      isFlushDue = true
      executor.flushAfterBurst(self)
    }
    return nil
  }

  func flush() {
    isFlushDue = false
    write()
  }

  /// Sends what was queued so far, now.
  func write() {
    guard let context, !frames.isEmpty else { return }
    hasSent = true
    context.writeAndFlush(NIOAny(frames.take()), promise: nil)
  }

  // MARK: Room

  /// Whether a stream's sender may go on at once.
  var hasRoom: Bool {
    guard let context else { return true }
    return frames.count < Self.burst && context.channel.isWritable
  }

  /// Keeps a sender until the peer took enough and everybody else had a turn, or it is released.
  func wait(_ sender: WaitingSender, _ continuation: UnsafeContinuation<Void, Never>) {
    guard isOpen, !sender.isReleased else { return continuation.resume() }
    sender.continuation = continuation
    waiting.append(sender)
    write()
    scheduleTurn()
  }

  /// Lets a sender go that was cancelled.
  func release(_ sender: WaitingSender) {
    sender.release()
    waiting = waiting.filter { $0 !== sender }
  }

  /// Lets a stream's senders go, because the stream has ended.
  func releaseSenders(of streamID: UInt32) {
    guard !waiting.isEmpty else { return }
    for sender in waiting where sender.streamID == streamID { sender.release() }
    waiting = waiting.filter { $0.streamID != streamID }
  }

  /// Tells that the peer took what it was sent.
  func becameWritable() {
    scheduleTurn()
  }

  private func scheduleTurn() {
    guard !isTurnDue, !waiting.isEmpty, context?.channel.isWritable ?? false else { return }
    isTurnDue = true
    executor.afterInput {
      self.isTurnDue = false
      guard self.context?.channel.isWritable ?? true else { return }
      self.releaseAll()
    }
  }

  private func releaseAll() {
    let released = waiting
    waiting = []
    for sender in released { sender.release() }
  }
}

/// A task that waits to send on a stream.
final class WaitingSender: @unchecked Sendable {
  // Unchecked: what changes is touched only on the event loop of the connection.

  let streamID: UInt32
  fileprivate var continuation: UnsafeContinuation<Void, Never>?
  fileprivate private(set) var isReleased = false

  init(streamID: UInt32) {
    self.streamID = streamID
  }

  fileprivate func release() {
    isReleased = true
    continuation?.resume()
    continuation = nil
  }
}
