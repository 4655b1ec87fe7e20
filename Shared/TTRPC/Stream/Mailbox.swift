import DequeModule
import ProtobufC
import Synchronization

/// Where the messages of one stream wait for their reader, its message type erased.
///
/// The event loop puts messages in and never waits; whoever reads may run anywhere.
class AnyMailbox: @unchecked Sendable {
  // Unchecked: a class can only be Sendable here when it is final; this one holds nothing, and its subclass a lock.

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
  /// The reader is too far behind.
  case overflow
  case malformed(ProtobufError, message: String)
}

/// Messages of one stream that came in and were not read yet, bounded in bytes.
final class Mailbox<Message: Sendable>: AnyMailbox, @unchecked Sendable {
  // Unchecked: the superclass is not final. What changes is behind `state`.

  typealias Reading = Result<Message?, Status>

  private struct Waiting {
    var message: Message
    var cost: Int
  }

  private struct State {
    var messages = Deque<Waiting>()
    var bytes = 0
    var reader: UnsafeContinuation<Reading, Never>?
    /// What the reader is told once nothing waits any more; `nil` while more may come.
    var end: Reading?
  }

  private let codec: MessageCodec<Message>
  private let limit: Int
  private let budget: ByteBudget?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: bytes that may wait; one message always may, however long.
  ///   - budget: what this and other mailboxes take from together.
  init(_ codec: MessageCodec<Message>, limit: Int, budget: ByteBudget? = nil) {
    self.codec = codec
    self.limit = limit
    self.budget = budget
  }

  deinit {
    let bytes = state.withLock { $0.bytes }
    if bytes > 0 { budget?.give(back: bytes) }
  }

  /// What a message takes beside its bytes on the wire: its place in the queue.
  private static var overhead: Int { MemoryLayout<Waiting>.stride + 32 }

  override func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) -> Delivery {
    let message: Message
    do { message = try codec.read(body, arena) } catch { return .malformed(error, message: codec.name) }
    let cost = body.count + Self.overhead
    var reader: UnsafeContinuation<Reading, Never>?
    let delivery = state.withLock { state -> Delivery in
      guard state.end == nil else { return .taken }
      if let waiting = state.reader {
        state.reader = nil
        reader = waiting
        return .taken
      }
      guard state.bytes == 0 || state.bytes + cost <= limit, budget?.take(cost) ?? true else { return .overflow }
      state.bytes += cost
      state.messages.append(Waiting(message: message, cost: cost))
      return .taken
    }
    reader?.resume(returning: .success(message))
    return delivery
  }

  override func end(_ failure: Status?) {
    end(failure.map { .failure($0) } ?? .success(nil)) { _ in }
  }

  override func cut(_ failure: Status) {
    end(.failure(failure)) { state in
      if state.bytes > 0 { budget?.give(back: state.bytes) }
      state.messages.removeAll()
      state.bytes = 0
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

  /// The next message, `nil` at the stream's end. One reader at a time.
  func next(isolation: isolated (any Actor)?) async throws(Status) -> Message? {
    if let ready = state.withLock({ take(&$0) }) { return try ready.get() }
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
    guard let waiting = state.messages.popFirst() else { return state.end }
    state.bytes -= waiting.cost
    budget?.give(back: waiting.cost)
    return .success(waiting.message)
  }
}

/// Bytes that many mailboxes, or many connections, may hold together.
final class ByteBudget: Sendable {
  private let limit: Int
  private let parent: ByteBudget?
  private let taken = Atomic(0)

  /// - Parameter parent: a larger budget that every byte counts against too.
  init(limit: Int, within parent: ByteBudget? = nil) {
    self.limit = limit
    self.parent = parent
  }

  /// How much is taken now.
  var bytes: Int { taken.load(ordering: .relaxed) }

  /// Takes `count` bytes, or none and says so.
  func take(_ count: Int) -> Bool {
    let now = taken.add(count, ordering: .relaxed).newValue
    guard now <= limit, parent?.take(count) ?? true else {
      taken.subtract(count, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Gives back what was taken.
  func give(back count: Int) {
    taken.subtract(count, ordering: .relaxed)
    parent?.give(back: count)
  }
}

extension Status {
  fileprivate static let readerCancelled = Status(.cancelled, "The task that reads the stream was cancelled")
}
