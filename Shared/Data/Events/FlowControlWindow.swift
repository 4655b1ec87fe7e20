import DequeModule
import Synchronization
import TTRPC

/// The bytes sent to a follower and not acknowledged: while they exceed a limit nothing more is sent, so that the
/// follower's mailbox never overflows.
final class FlowControlWindow: Sendable {
  /// Half of the bytes that may wait for a stream's reader before it fails.
  private static let maxBytes = 2 << 20
  private static let maxAnswers = 8

  private struct Answer {
    /// `nil` where the follower has no stored position.
    let position: EventPosition?
    let bytes: Int
  }

  private struct State {
    var answers = Deque<Answer>()
    var bytes = 0
    var acknowledged: EventPosition?
    var noted: EventPosition?
  }

  private let state = Mutex(State())

  /// Whether another response may be sent.
  var isLeft: Bool {
    state.withLock { $0.bytes < Self.maxBytes && $0.answers.count < Self.maxAnswers }
  }

  /// Counts a response before it is sent.
  func spend(_ bytes: Int, on position: EventPosition?) {
    state.withLock { state in
      state.answers.append(Answer(position: position, bytes: bytes))
      state.bytes += bytes
    }
  }

  /// Takes the acknowledgement of the oldest unacknowledged response.
  ///
  /// - Throws: INVALID_ARGUMENT when it is for another position.
  func take(_ position: EventPosition?) throws(Status) {
    let isExpected = state.withLock { state in
      guard let answer = state.answers.first, answer.position == position else { return false }
      state.answers.removeFirst()
      state.bytes -= answer.bytes
      if let position { state.acknowledged = position }
      return true
    }
    guard isExpected else { throw .unexpectedAcknowledgement }
  }

  /// The position that was acknowledged last, returned once after each change.
  func unnoted() -> EventPosition? {
    state.withLock { state in
      guard state.acknowledged != state.noted else { return nil }
      state.noted = state.acknowledged
      return state.acknowledged
    }
  }
}
