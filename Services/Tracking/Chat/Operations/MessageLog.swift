import AsyncSignal
import DequeModule
import Identifiers
import Synchronization

/// Messages that users send, and that wait until they are stored together with others ([TR-32]): a worker empties each lane in batches.
///
/// A conversation belongs to one of a few lanes, each of which stores one batch after the other: what arrives while a batch is being stored is the
/// next one. So a busy conversation needs one lock and one commit for all that wait, and the order of a sender's messages is kept.
package final class MessageLog: Sendable {
  /// A message that waits.
  package struct Waiting: Sendable {
    package let message: NewMessage
    let continuation: CheckedContinuation<Result<StoredSend, any Error>, Never>

    /// Answers who sent it.
    package func answer(_ result: Result<StoredSend, any Error>) { continuation.resume(returning: result) }
  }

  /// The messages of some conversations.
  package final class Lane: Sendable {
    private struct State {
      var waiting = Deque<Waiting>()
      var isClosed = false
    }

    private let state = Mutex(State())
    /// Sent when something waits.
    package let signal = AsyncSignal()

    /// Messages that may wait.
    private static let maxCount = 4_096

    fileprivate init() {}

    /// Adds a message; returns why it may not wait.
    fileprivate func add(_ waiting: Waiting) -> ChatFailure? {
      state.withLock { state in
        if state.isClosed { return .stopping }
        if state.waiting.count >= Self.maxCount { return .overloaded }
        state.waiting.append(waiting)
        return nil
      }
    }

    /// The next messages, no two of which are the same or have the same picture: the second of them waits for the next batch.
    package func take(_ most: Int) -> [Waiting] {
      state.withLock { state in
        var (batch, left, seen) = ([Waiting](), Deque<Waiting>(), Set<UUID7>())
        while batch.count < most, let waiting = state.waiting.popFirst() {
          let keys = [waiting.message.clientMessageID.uuid] + (waiting.message.pictureID.map { [$0.uuid] } ?? [])
          if keys.contains(where: seen.contains) {
            left.append(waiting)
          } else {
            seen.formUnion(keys)
            batch.append(waiting)
          }
        }
        state.waiting = left + state.waiting
        return batch
      }
    }

    /// Refuses what is sent from now on; returns what waits.
    package func close() -> [Waiting] {
      state.withLock { state in
        state.isClosed = true
        defer { state.waiting = [] }
        return Array(state.waiting)
      }
    }
  }

  package let lanes: [Lane]

  /// Few, so that batches are large; several, so that one slow commit does not hold up all conversations.
  private static let laneCount = 4

  package init() { lanes = (0..<Self.laneCount).map { _ in Lane() } }

  /// Adds a message; it is durable when this returns. A message that was added before is not added again.
  ///
  /// - Throws: ``ChatDomain/SendRefusal``; ``ChatFailure`` when too many wait, or the service stops; ``Postgres/PostgresError``.
  package func append(_ message: NewMessage) async throws -> StoredSend {
    let lane = lanes[(message.conversationID.uuid.hashValue & Int.max) % lanes.count]
    return try await withCheckedContinuation { continuation in
      let refusal = lane.add(Waiting(message: message, continuation: continuation))
      if let refusal { continuation.resume(returning: .failure(refusal)) } else { lane.signal.send() }
    }.get()
  }
}
