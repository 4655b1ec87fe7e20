import LoopExecutor
import NIOCore
import ProtobufC
import TTRPC
import TTRPCFrames

/// The sending side of a connection: frames gathered in a burst and flushed by one write, and the senders that wait
/// while the peer does not read. Confined to the event loop of `executor`.
///
/// `@unchecked Sendable`: everything mutable is touched only on `executor.loop`; code elsewhere goes there first.
@usableFromInline
package final class FrameOutput: FlushTarget, @unchecked Sendable {
  package let executor: LoopExecutor
  /// Where messages are packed; the code that appends resets it.
  @usableFromInline package let arena: Arena
  private var context: ChannelHandlerContext?
  @usableFromInline var frames = FrameBuffer(allocator: ByteBufferAllocator())
  private var isFlushDue = false
  private var waiting: [WaitingSender] = []
  private var isTurnDue = false
  /// Whether anything was sent on the connection.
  package private(set) var hasSent = false
  private var budget: ByteBudget?
  /// Bytes that the channel held at the last sample, which is taken only above the write high-water mark.
  private var inChannel = 0
  /// Bytes reserved for messages that are being made.
  private var reserved = 0
  /// Whether the next message to be queued has a reservation.
  private var isPaid = false
  private var charged = 0
  /// Bytes handed to the channel in all.
  private var written = 0
  /// The value of `written` at the last sample.
  private var counted = 0

  /// Bytes of one burst beyond which a stream's sender lets others have a turn.
  private static let burst = 65_536
  /// Unsent bytes beyond which a stream's sender waits even to queue its message.
  private static let pile = 1 << 20
  /// Bytes of messages that are made at the same time for one connection: enough to keep it busy while the next ones
  /// are fetched.
  private static let maxReserved = 262_144
  /// Requests or responses that are written before the end of a burst: the peer works on them while this side makes the
  /// rest. Each write costs about as much as one call.
  private static let fullWrite = 32

  /// - Parameter budget: the budget of unsent bytes.
  package init(executor: LoopExecutor, arena: Arena, budget: ByteBudget? = nil) {
    self.executor = executor
    self.arena = arena
    self.budget = budget
  }

  /// Whether there is a connection to send on.
  @usableFromInline package private(set) var isOpen = false

  /// Bytes of all frames queued so far.
  package private(set) var queuedBytes = 0

  /// Bytes that wait for the end of the burst.
  package var pendingBytes: Int { frames.count }

  /// Counts unsent bytes against another budget; called before anything was sent.
  package func count(against budget: ByteBudget) {
    precondition(!hasSent && charged == 0, "the budget is changed before it is used")
    self.budget = budget
  }

  package func open(_ context: ChannelHandlerContext) {
    self.context = context
    isOpen = true
  }

  /// Sends nothing more, and releases every waiting sender.
  package func close() {
    context = nil
    isOpen = false
    frames = FrameBuffer(allocator: ByteBufferAllocator())
    inChannel = 0
    reserved = 0
    charge()
    releaseAll()
  }

  // MARK: Frames

  /// Queues what `append` adds; where it refuses, or where too much is unsent already, nothing is added.
  @inlinable
  package func send(_ append: (inout FrameBuffer, Arena) -> Status?) -> Status? {
    guard isOpen else { return nil }
    defer { arena.reset() }
    let growth = frames.grow(in: arena, append)
    return growth.refusal ?? queue(growth)
  }

  /// Keeps what was appended, or removes it where too much is unsent already.
  @usableFromInline
  func queue(_ growth: FrameBuffer.Growth) -> Status? {
    // A short burst is cheaper to send than to count, unless it adds to bytes that the peer has not read.
    if !isPaid, growth.after > Self.burst || inChannel > 0 && growth.after + inChannel > Self.burst, !isAffordable {
      frames.cut(to: growth.before)
      return .unsent
    }
    queuedBytes += growth.after - growth.before
    if growth.calls >= Self.fullWrite { write() }
    flushLater()
    return nil
  }

  /// Queues a short frame that must be sent, however many bytes are unsent.
  package func sendBypassingBudget(_ append: (inout FrameBuffer, Arena) -> Void) {
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

  @usableFromInline
  package func flush() {
    isFlushDue = false
    write()
  }

  /// Sends what was queued so far, at once.
  package func write() {
    guard let context, !frames.isEmpty else { return }
    hasSent = true
    written += frames.count
    context.writeAndFlush(NIOAny(frames.take()), promise: nil)
    if charged > 0 || !context.channel.isWritable { countUnsent() }
  }

  // MARK: Unsent bytes

  /// Counts the bytes that the channel holds against the budget.
  ///
  /// - Returns: how many they are, and how many bytes the peer has read since the connection began.
  @discardableResult
  package func countUnsent() -> (held: Int, taken: Int) {
    // An idle connection needs no sample: the channel has sent what it held.
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

  /// Whether more is unsent than one burst.
  package var isPiled: Bool { frames.count + inChannel > Self.burst }

  /// Bytes of all frames queued so far that the peer, or its kernel, has taken.
  package var takenBytes: Int {
    countUnsent()
    return queuedBytes - frames.count - inChannel
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

  /// Whether the channel is above its write high-water mark, because the peer does not read.
  package var isBackedUp: Bool { !(context?.channel.isWritable ?? true) }

  // MARK: Room

  /// Whether a stream's sender may continue at once.
  @usableFromInline
  package var hasRoom: Bool {
    guard let context else { return true }
    return frames.count < Self.burst && context.channel.isWritable
  }

  /// Whether a stream's sender may queue one more message now: beyond a burst only within the peer's share of the
  /// budget.
  @usableFromInline
  package var mayQueue: Bool {
    let held = frames.count + inChannel
    return held < Self.burst || held < Self.pile && budget?.hasRoom(for: Self.burst) ?? true
  }

  /// Reserves room for a message of about `bytes` that is about to be made, where there is some: one at a time whatever
  /// the budget, so that every peer that reads its responses makes progress, and several as the budget allows.
  @usableFromInline
  package func reserve(_ bytes: Int) -> Bool {
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

  /// Releases a reservation, for what `queue` queues in its place.
  @usableFromInline
  package func release(_ bytes: Int, _ queue: () throws(Status) -> Void) throws(Status) {
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

  /// Releases a reservation in whose place nothing comes.
  @usableFromInline
  package func release(_ bytes: Int) {
    guard isOpen else { return }
    reserved -= bytes
    charge()
    scheduleTurn()
  }

  /// Suspends a sender until the peer has read enough and the other senders had a turn, or until it is released.
  @usableFromInline
  package func wait(_ sender: WaitingSender, _ continuation: UnsafeContinuation<Void, Never>) {
    guard isOpen, !sender.isReleased else { return continuation.resume() }
    sender.wait(continuation)
    waiting.append(sender)
    write()
    // The sender with a reservation gives the others their turn when it is done.
    if reserved == 0 { scheduleTurn() }
  }

  /// Whether a sender of the stream waits for the peer.
  package func isAwaited(by streamID: UInt32) -> Bool { waiting.contains { $0.streamID == streamID } }

  /// Releases a sender that was cancelled.
  @usableFromInline
  package func release(_ sender: WaitingSender) {
    sender.release()
    waiting = waiting.filter { $0 !== sender }
  }

  /// Releases a stream's senders, because the stream has ended.
  package func releaseSenders(of streamID: UInt32) {
    guard !waiting.isEmpty else { return }
    for sender in waiting where sender.streamID == streamID { sender.release() }
    waiting = waiting.filter { $0.streamID != streamID }
  }

  /// Called when the peer has read enough for the channel to be writable.
  package func becameWritable() {
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
