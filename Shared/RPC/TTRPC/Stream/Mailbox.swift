import DequeModule
import ProtobufC
import Synchronization

/// Where the messages of one stream wait for their reader, its message type erased.
///
/// The event loop puts messages in and never waits; whoever reads may run anywhere.
///
/// `@unchecked Sendable`: a class can only be Sendable here when it is final; this one holds nothing, and its subclass a lock.
class AnyMailbox: @unchecked Sendable {
  /// Puts in the message that `body` holds.
  func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) -> Delivery {
    preconditionFailure("a subclass takes the message")
  }

  /// Says that nothing more will come: the reader gets what waits, then the end, or `failure` in place of it.
  func end(_ failure: Status?) {
    preconditionFailure("a subclass ends the stream")
  }

  /// Ends the stream at once, dropping what waits: its reader gets `failure` next.
  func cut(_ failure: Status) {
    preconditionFailure("a subclass ends the stream")
  }
}

/// What became of a message that came in.
enum Delivery {
  case taken
  /// The same, and more is not wanted until the reader has caught up.
  case takenForNow
  /// The reader is too far behind.
  case overflow
  /// All that wait, in this stream and others, wait for too much.
  case overBudget
  case malformed(ProtobufError, message: String)
}

/// Messages of one stream that came in and were not read yet, bounded in bytes.
///
/// `@unchecked Sendable`: the superclass is not final. What changes is behind `state`.
final class Mailbox<Message: Sendable>: AnyMailbox, @unchecked Sendable {
  typealias Reading = Result<Message?, Status>

  private struct Waiting {
    var message: Message
    var cost: Int
  }

  private struct State {
    var messages = Deque<Waiting>()
    /// Bytes of memory of the messages that wait.
    var bytes = 0
    /// The same of the message that the reader took last and works on, as far as anybody knows.
    var inHand = 0
    var reader: UnsafeContinuation<Reading, Never>?
    /// What the reader is told once nothing waits any more; `nil` while more may come.
    var end: Reading?
    /// Whether more waits than is wanted.
    var isFull = false
    /// Told when that is over; `nil` where nothing is taken beyond the limit.
    var onRoom: (@Sendable () -> Void)?
  }

  private let codec: MessageCodec<Message>
  private let limit: Int
  private let budget: ByteBudget?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: bytes of memory that may wait, never counted less than they were on the wire; one message always may, however long.
  ///   - budget: what this and other mailboxes take from together.
  init(_ codec: MessageCodec<Message>, limit: Int, budget: ByteBudget? = nil) {
    self.codec = codec
    self.limit = limit
    self.budget = budget
  }

  /// Takes messages beyond the limit too, and says so, from now on.
  ///
  /// - Parameter onRoom: told, from any thread, once half of the limit is free again.
  func overflow(until onRoom: @escaping @Sendable () -> Void) {
    state.withLock { $0.onRoom = onRoom }
  }

  deinit {
    let bytes = state.withLock { $0.bytes + $0.inHand }
    if bytes > 0 { budget?.give(back: bytes) }
  }

  /// What a message takes beside its own memory: its place in the queue.
  private static var overhead: Int { MemoryLayout<Waiting>.stride + 32 }

  override func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) -> Delivery {
    let message: Message
    var held = 0
    do { message = try codec.readHolding(body, arena, &held) } catch { return .malformed(error, message: codec.name) }
    let cost = max(body.count, held) + Self.overhead
    var reader: UnsafeContinuation<Reading, Never>?
    let delivery = state.withLock { state -> Delivery in
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

  override func end(_ failure: Status?) {
    end(failure.map { .failure($0) } ?? .success(nil)) { _ in }
  }

  override func cut(_ failure: Status) {
    end(.failure(failure)) { state in
      if state.bytes + state.inHand > 0 { budget?.give(back: state.bytes + state.inHand) }
      // An end that was to come after what is lost here would make the rest look complete.
      if !state.messages.isEmpty { state.end = nil }
      state.messages.removeAll()
      (state.bytes, state.inHand) = (0, 0)
    }
  }

  private func end(_ end: Reading, _ clear: (inout State) -> Void) {
    let reader = state.withLock { state -> UnsafeContinuation<Reading, Never>? in
      clear(&state)
      guard state.end == nil else { return nil }
      state.end = end
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: end)
  }

  /// The next message, `nil` at the stream's end. One reader at a time, which is done with the message before.
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

  private func take(_ state: inout State) -> Reading? {
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
