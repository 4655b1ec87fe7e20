import DequeModule
import ProtobufC
import Synchronization

/// The side of a mailbox on which messages arrive, whatever their type. On the call's event loop, which never waits for the reader.
///
/// Functions and not a superclass: they are made where the type of the messages is known, and so specialized for it. What is looked up for a
/// method of a generic class would take a third of the time of an upload.
@usableFromInline
package struct Inbox: Sendable {
  /// The result of adding a message.
  @usableFromInline
  package enum Delivery: Sendable {
    case taken
    /// Taken, and reading is to pause until the reader has caught up.
    case takenForNow
    /// The reader is too slow.
    case overflow
    /// The messages that wait, of this stream and others, exceed their common budget.
    case overBudget
    case malformed(ProtobufError, message: String)
  }

  /// Adds the message that the bytes encode.
  package let deliver: @Sendable (UnsafeRawBufferPointer, Arena) -> Delivery
  /// Ends the stream after the waiting messages: then the reader gets the end, or the failure in place of it.
  package let end: @Sendable (Status?) -> Void
  /// Ends the stream at once and drops the waiting messages: the reader gets the failure next.
  package let cut: @Sendable (Status) -> Void

  @usableFromInline
  init(
    deliver: @escaping @Sendable (UnsafeRawBufferPointer, Arena) -> Delivery,
    end: @escaping @Sendable (Status?) -> Void, cut: @escaping @Sendable (Status) -> Void
  ) {
    (self.deliver, self.end, self.cut) = (deliver, end, cut)
  }
}

/// Bytes of memory that several holders share. From any thread.
@usableFromInline
package protocol MemoryBudget: Sendable {
  /// Takes `count` bytes; false when they exceed the budget, and none are taken.
  func take(_ count: Int) -> Bool
  func give(back count: Int)
}

/// The messages of one stream that have arrived and are unread, bounded in bytes. The reader may run on any thread.
@usableFromInline
package final class Mailbox<Message: Sendable>: Sendable {
  package typealias Delivery = Inbox.Delivery
  @usableFromInline typealias Reading = Result<Message?, Status>

  @usableFromInline
  struct Waiting {
    @usableFromInline var message: Message
    @usableFromInline var cost: Int

    @usableFromInline
    init(message: Message, cost: Int) { (self.message, self.cost) = (message, cost) }
  }

  @usableFromInline
  struct State {
    @usableFromInline var messages = Deque<Waiting>()
    /// Bytes of memory of the messages that wait.
    @usableFromInline var bytes = 0
    /// Bytes of memory of the message that the reader took last, which it may still be using.
    @usableFromInline var inHand = 0
    @usableFromInline var reader: UnsafeContinuation<Reading, Never>?
    /// What the reader gets once no message waits; `nil` while more may come.
    @usableFromInline var end: Reading?
    /// Whether the limit is exceeded, so that reading is paused.
    @usableFromInline var isFull = false
    /// Called when half of the limit is free again; `nil` where nothing is taken beyond the limit.
    @usableFromInline var onRoom: (@Sendable () -> Void)?

    @usableFromInline
    init() {}
  }

  @usableFromInline let codec: MessageCodec<Message>
  @usableFromInline let limit: Int
  @usableFromInline let budget: (any MemoryBudget)?
  @usableFromInline let state = Mutex(State())

  /// - Parameters:
  ///   - limit: bytes of memory that may wait, at least the size on the wire of each message; one message may always
  ///     wait, however long.
  ///   - budget: bytes that this mailbox shares with others.
  @inlinable
  package init(_ codec: MessageCodec<Message>, limit: Int, budget: (any MemoryBudget)? = nil) {
    self.codec = codec
    self.limit = limit
    self.budget = budget
  }

  /// From now on takes messages beyond the limit too, and reports it.
  ///
  /// - Parameter onRoom: called, from any thread, once half of the limit is free again.
  package func overflow(until onRoom: @escaping @Sendable () -> Void) {
    state.withLock { $0.onRoom = onRoom }
  }

  /// The side on which messages arrive.
  @inlinable
  var inbox: Inbox { Inbox(deliver: { self.deliver($0, $1) }, end: { self.end($0) }, cut: { self.cut($0) }) }

  deinit {
    let bytes = state.withLock { $0.bytes + $0.inHand }
    if bytes > 0 { budget?.give(back: bytes) }
  }

  /// Bytes that a message takes beside its own memory: its place in the queue.
  @inlinable static var overhead: Int { MemoryLayout<Waiting>.stride + 32 }

  /// See ``Inbox/deliver``.
  @inlinable
  package func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) -> Inbox.Delivery {
    let message: Message
    var held = 0
    do { message = try codec.readHolding(body, arena, &held) } catch { return .malformed(error, message: codec.name) }
    let cost = max(body.count, held) + Self.overhead
    var reader: UnsafeContinuation<Reading, Never>?
    let delivery = state.withLock { state -> Inbox.Delivery in
      guard state.end == nil else { return .taken }
      let fits = state.reader != nil || state.bytes == 0 || state.bytes + cost <= limit
      guard fits || state.onRoom != nil else { return .overflow }
      guard budget?.take(cost) ?? true else { return .overBudget }
      if let waiting = state.reader {
        state.reader = nil
        state.inHand = cost
        reader = waiting
        return .taken
      }
      state.bytes += cost
      state.messages.append(Waiting(message: message, cost: cost))
      guard !fits else { return .taken }
      state.isFull = true
      return .takenForNow
    }
    reader?.resume(returning: .success(message))
    return delivery
  }

  /// See ``Inbox/end``.
  @inlinable
  package func end(_ failure: Status?) {
    end(failure.map { .failure($0) } ?? .success(nil)) { _ in }
  }

  /// See ``Inbox/cut``.
  @inlinable
  package func cut(_ failure: Status) {
    end(.failure(failure)) { state in
      if state.bytes + state.inHand > 0 { budget?.give(back: state.bytes + state.inHand) }
      // With a normal end after the messages that are dropped here, the stream would look complete.
      if !state.messages.isEmpty { state.end = nil }
      state.messages.removeAll()
      (state.bytes, state.inHand) = (0, 0)
    }
  }

  @inlinable
  func end(_ end: Reading, _ clear: (inout State) -> Void) {
    let reader = state.withLock { state -> UnsafeContinuation<Reading, Never>? in
      clear(&state)
      guard state.end == nil else { return nil }
      state.end = end
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: end)
  }

  /// The next message, `nil` at the stream's end. One reader at a time, which has finished with the message before.
  func next(isolation: isolated (any Actor)?) async throws(Status) -> Message? {
    let (ready, onRoom) = state.withLock { state in
      let ready = take(&state)
      guard state.isFull, state.bytes <= limit / 2 else { return (ready, nil as (@Sendable () -> Void)?) }
      state.isFull = false
      return (ready, state.onRoom)
    }
    onRoom?()
    if let ready { return try ready.get() }
    return try await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: isolation) { continuation in
        let ready = state.withLock { state -> Reading? in
          if let ready = take(&state) { return ready }
          guard !Task.isCancelled else { return .failure(.readerCancelled) }
          precondition(state.reader == nil, "a stream has one reader at a time")
          state.reader = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: .failure(.readerCancelled))
    }.get()
  }

  @inlinable
  func take(_ state: inout State) -> Reading? {
    if state.inHand > 0 { budget?.give(back: state.inHand) }
    state.inHand = 0
    guard let waiting = state.messages.popFirst() else { return state.end }
    state.bytes -= waiting.cost
    state.inHand = waiting.cost
    return .success(waiting.message)
  }
}

extension Status {
  fileprivate static let readerCancelled = Status(.cancelled, "The task that reads the stream was cancelled")
}
