public import Identifiers
import Synchronization
import WorkerPool

/// Lets the streams that begin at a replica take turns: after a restart all clients come back at once, and what each of them reads to begin
/// would fill the queues of the database, in which the calls of others wait behind it or are refused.
///
/// Users take turns, so one who opens many streams holds up no other.
public final class StreamOpenings: Sendable {
  private typealias Turn = CheckedContinuation<Void, any Error>

  private struct State {
    var running = 0
    var lastTicket: UInt64 = 0
    var waiting = FairQueue<UserID, Turn>()
    /// Tickets of streams that ended before they could wait.
    var ended: Set<UInt64> = []
  }

  /// How many begin at a time.
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: how many begin at a time: enough to keep the database at work.
  public init(limit: Int = 64) { self.limit = limit }

  /// How many streams wait for their turn.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Runs what a stream of a user begins with, in its turn. It must not wait for its client, for whom all others would wait.
  ///
  /// - Throws: `CancellationError` when the stream ends while it waits; what `body` throws.
  public func inTurn<Begun>(of user: UserID, _ body: () async throws -> Begun) async throws -> Begun {
    try await take(user)
    defer { give() }
    return try await body()
  }

  private func take(_ user: UserID) async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    // A ticket that was noted as ended while its turn came is forgotten.
    defer { state.withLock { _ = $0.ended.remove(ticket) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (turn: Turn) in
        let answer = state.withLock { state -> Result<Void, any Error>? in
          if state.ended.remove(ticket) != nil { return .failure(CancellationError()) }
          if state.running < limit {
            state.running += 1
            return .success(())
          }
          state.waiting.append(turn, ticket: ticket, for: user)
          return nil
        }
        if let answer { turn.resume(with: answer) }
      }
    } onCancel: {
      let turn = state.withLock { state -> Turn? in
        if let turn = state.waiting.remove(ticket, of: user) { return turn }
        state.ended.insert(ticket)
        return nil
      }
      turn?.resume(throwing: CancellationError())
    }
  }

  private func give() {
    let next = state.withLock { state -> Turn? in
      // The place goes to who waits.
      if let next = state.waiting.next(where: { _ in true }) { return next.element }
      state.running -= 1
      return nil
    }
    next?.resume()
  }
}
