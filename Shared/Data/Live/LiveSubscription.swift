import DequeModule
import Synchronization

/// The messages of one subscription; one task reads them.
public struct LiveSubscription: AsyncSequence, Sendable {
  public typealias Element = LiveMessage
  /// It ends, but never fails.
  public typealias Failure = Never

  private let place: Place

  init(_ mailbox: LiveMailbox, leave: @escaping @Sendable () -> Void) {
    place = Place(mailbox, leave)
  }

  public func makeAsyncIterator() -> Iterator { Iterator(place: place) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let place: Place

    /// The next message; `nil` at the end.
    public mutating func next() async -> LiveMessage? { await place.next() }
  }

  /// A subscriber's registration at the bus, which ends with its last reference or with its reader's task.
  fileprivate final class Place: Sendable {
    private let mailbox: LiveMailbox
    private let leave: @Sendable () -> Void

    init(_ mailbox: LiveMailbox, _ leave: @escaping @Sendable () -> Void) {
      self.mailbox = mailbox
      self.leave = leave
    }

    deinit { leave() }

    func next() async -> LiveMessage? {
      await withTaskCancellationHandler {
        await mailbox.next()
      } onCancel: {
        mailbox.end()
        leave()
      }
    }
  }
}

/// The messages that wait for one subscriber, bounded: beyond the limit all of them become one gap.
final class LiveMailbox: Sendable {
  private struct State {
    var waiting = Deque<LiveMessage>()
    var bytes = 0
    var hasBegun = false
    var isEnded = false
    var reader: UnsafeContinuation<LiveMessage?, Never>?
  }

  /// The result of adding a payload.
  enum Outcome {
    case delivered
    /// It arrived before the subscription began: the first gap stands for it.
    case early
    /// This many payloads were dropped and replaced by a gap.
    case overflowed(Int)
  }

  private let state = Mutex(State())
  private let messageLimit: Int
  private let byteLimit: Int

  init(messages: Int = LiveLimits.messagesPerSubscriber, bytes: Int = LiveLimits.bytesPerSubscriber) {
    messageLimit = messages
    byteLimit = bytes
  }

  /// Whether it has its first gap.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  func put(_ payload: [UInt8]) -> Outcome {
    var outcome = Outcome.delivered
    let reader = state.withLock { state -> UnsafeContinuation<LiveMessage?, Never>? in
      guard state.hasBegun, !state.isEnded else {
        outcome = .early
        return nil
      }
      if let reader = state.reader.take() { return reader }
      if state.waiting.count >= messageLimit || state.bytes + payload.count > byteLimit {
        outcome = .overflowed(state.waiting.count { $0 != .gap })
        state.waiting.removeAll()
        state.bytes = 0
        state.waiting.append(.gap)
      }
      state.waiting.append(.payload(payload))
      state.bytes += payload.count
      return nil
    }
    reader?.resume(returning: .payload(payload))
    return outcome
  }

  /// Adds a gap for messages that may have been missed; the first one begins the subscription.
  func putGap() {
    let reader = state.withLock { state -> UnsafeContinuation<LiveMessage?, Never>? in
      state.hasBegun = true
      if state.isEnded { return nil }
      if let reader = state.reader.take() { return reader }
      if state.waiting.last != .gap { state.waiting.append(.gap) }
      return nil
    }
    reader?.resume(returning: .gap)
  }

  /// Ends the subscription; messages that wait are still read.
  func end() {
    let reader = state.withLock { state -> UnsafeContinuation<LiveMessage?, Never>? in
      state.isEnded = true
      return state.reader.take()
    }
    reader?.resume(returning: nil)
  }

  func next() async -> LiveMessage? {
    await withUnsafeContinuation { continuation in
      let known = state.withLock { state -> LiveMessage?? in
        if Task.isCancelled { return .some(nil) }
        if let message = state.waiting.popFirst() {
          if case .payload(let payload) = message { state.bytes -= payload.count }
          return message
        }
        if state.isEnded { return .some(nil) }
        precondition(state.reader == nil, "two tasks read one subscription")
        state.reader = continuation
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
