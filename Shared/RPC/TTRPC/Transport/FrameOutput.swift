import LoopExecutor
import NIOCore
import ProtobufC

/// The sending side of a connection: frames gathered in a burst and flushed by one write, and the senders that wait while the peer does not
/// take them. Confined to the event loop of `executor`.
///
/// `@unchecked Sendable`: everything mutable is touched only on `executor.loop`; whoever holds it elsewhere goes there first.
final class FrameOutput: FlushTarget, @unchecked Sendable {
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
  private var budget: ByteBudget?
  /// Bytes that the channel held when it was last asked; it is asked only when it holds more than it likes to.
  private var inChannel = 0
  /// Bytes of messages that are being made, and for which room is kept.
  private var reserved = 0
  /// Whether what is queued next has its room.
  private var isPaid = false
  private var charged = 0
  /// Bytes that were ever handed to the channel.
  private var written = 0
  /// The same when the channel was last asked.
  private var counted = 0

  /// Bytes of one burst beyond which a stream's sender lets others have a turn.
  private static let burst = 65_536
  /// Bytes that the peer has not taken beyond which a stream's sender waits even to queue its message.
  private static let pile = 1 << 20
  /// Bytes of messages that are made at the same time for one connection: what keeps it busy while the next pieces are fetched.
  private static let maxReserved = 262_144
  /// Requests or answers that do not wait for the end of a burst: the peer works on them while this side makes the rest. Each write costs
  /// about what one call does.
  private static let fullWrite = 32

  /// - Parameter budget: what the peer has not taken counts against.
  init(executor: LoopExecutor, arena: Arena, budget: ByteBudget? = nil) {
    self.executor = executor
    self.arena = arena
    self.budget = budget
  }

  /// Whether there is a connection to send on.
  private(set) var isOpen = false

  /// Bytes of all frames that were ever queued.
  private(set) var queuedBytes = 0

  /// Bytes that wait for the burst's end.
  var pendingBytes: Int { frames.count }

  /// Counts what the peer has not taken against another budget, before anything was sent.
  func count(against budget: ByteBudget) {
    precondition(!hasSent && charged == 0, "the budget is changed before it is used")
    self.budget = budget
  }

  func open(_ context: ChannelHandlerContext) {
    self.context = context
    isOpen = true
  }

  /// Sends nothing more, and lets everybody go who waits.
  func close() {
    context = nil
    isOpen = false
    frames = FrameBuffer(allocator: ByteBufferAllocator())
    inChannel = 0
    reserved = 0
    charge()
    releaseAll()
  }

  // MARK: Frames

  /// Queues what `append` adds; where it refuses, or too much waits for the peer already, nothing was added.
  func send(_ append: (inout FrameBuffer, Arena) -> Status?) -> Status? {
    guard isOpen else { return nil }
    defer { arena.reset() }
    let growth = frames.grow(in: arena, append)
    if let refusal = growth.refusal { return refusal }
    // A little is cheaper sent than counted, unless it comes on top of what the peer has not taken.
    if !isPaid, growth.after > Self.burst || inChannel > 0 && growth.after + inChannel > Self.burst, !isAffordable {
      frames.cut(to: growth.before)
      return .unsent
    }
    queuedBytes += growth.after - growth.before
    if growth.calls >= Self.fullWrite { write() }
    flushLater()
    return nil
  }

  /// Queues a short frame that must not be missing, however much waits.
  func sendBypassingBudget(_ append: (inout FrameBuffer, Arena) -> Void) {
    guard isOpen else { return }
    let growth = frames.grow(in: arena) { frames, arena in
      append(&frames, arena)
      return nil
    }
    queuedBytes += growth.after - growth.before
    arena.reset()
    flushLater()
  }

  private func flushLater() {
    guard !isFlushDue else { return }
    isFlushDue = true
    executor.flushAfterBurst(self)
  }

  func flush() {
    isFlushDue = false
    write()
  }

  /// Sends what was queued so far, now.
  func write() {
    guard let context, !frames.isEmpty else { return }
    hasSent = true
    written += frames.count
    context.writeAndFlush(NIOAny(frames.take()), promise: nil)
    if charged > 0 || !context.channel.isWritable { countUnsent() }
  }

  // MARK: What the peer has not taken

  /// Counts the bytes that the channel holds against the budget.
  ///
  /// - Returns: how many they are, and how many the peer has taken since the connection began.
  @discardableResult
  func countUnsent() -> (held: Int, taken: Int) {
    // An idle connection is not asked again: what it held it has sent.
    guard inChannel > 0 || written > counted || charged > 0 else { return (0, written) }
    counted = written
    inChannel = bytesInChannel
    charge()
    return (inChannel, written - inChannel)
  }

  private var bytesInChannel: Int {
    guard let options = context?.channel.syncOptions else { return 0 }
    do { return try options.getOption(.bufferedWritableBytes) } catch {
      return 0  // a channel that is closed holds nothing
    }
  }

  private func charge() {
    let due = frames.count + inChannel + reserved - charged
    if due > 0 { budget?.take(regardless: due) } else { budget?.give(back: -due) }
    charged += due
  }

  private var isAffordable: Bool {
    let due = frames.count + inChannel + reserved - charged
    guard due > 0, let budget else { return true }
    guard budget.take(due) else { return false }
    charged += due
    return true
  }

  /// Whether the channel holds as much as it likes to, because the peer has not taken it.
  var isBackedUp: Bool { !(context?.channel.isWritable ?? true) }

  // MARK: Room

  /// Whether a stream's sender may go on at once.
  var hasRoom: Bool {
    guard let context else { return true }
    return frames.count < Self.burst && context.channel.isWritable
  }

  /// Whether a stream's sender may queue one more message now: beyond a burst only what the peer's share has room for.
  var mayQueue: Bool {
    let held = frames.count + inChannel
    return held < Self.burst || held < Self.pile && budget?.hasRoom(for: Self.burst) ?? true
  }

  /// Keeps room for a message of about `bytes` that is about to be made, where there is some: one at a time whatever the budget says, so that
  /// every peer that takes its answers gets on, and several as the budget allows.
  func reserve(_ bytes: Int) -> Bool {
    guard !isBackedUp, frames.count < Self.burst, reserved == 0 || reserved + bytes <= Self.maxReserved else {
      return false
    }
    reserved += bytes
    if isAffordable { return true }
    guard reserved == bytes, frames.isEmpty else {
      reserved -= bytes
      return false
    }
    charge()
    return true
  }

  /// Gives back room that was kept, for what `queue` queues in its place.
  func release<Failure>(_ bytes: Int, _ queue: () throws(Failure) -> Void) throws(Failure) {
    guard isOpen else { return try queue() }
    reserved -= bytes
    isPaid = true
    defer {
      isPaid = false
      charge()
      scheduleTurn()
    }
    try queue()
  }

  /// Keeps a sender until the peer took enough and everybody else had a turn, or it is released.
  func wait(_ sender: WaitingSender, _ continuation: UnsafeContinuation<Void, Never>) {
    guard isOpen, !sender.isReleased else { return continuation.resume() }
    sender.continuation = continuation
    waiting.append(sender)
    write()
    // Whoever has room kept gives the others their turn when it is done.
    if reserved == 0 { scheduleTurn() }
  }

  /// Whether a sender of the stream waits for the peer.
  func isAwaited(by streamID: UInt32) -> Bool { waiting.contains { $0.streamID == streamID } }

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
    countUnsent()
    scheduleTurn()
  }

  private func scheduleTurn() {
    guard !isTurnDue, !waiting.isEmpty, context?.channel.isWritable ?? false else { return }
    isTurnDue = true
    executor.afterPoll {
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
///
/// `@unchecked Sendable`: what changes is touched only on the event loop of the connection.
final class WaitingSender: @unchecked Sendable {
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
