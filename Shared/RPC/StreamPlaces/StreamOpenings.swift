public import Identifiers
public import Metrics
import Synchronization
public import TTRPC
import WorkerPool

/// Lets the streams that begin at a replica take turns: after a restart all clients come back at once, and what each of them reads to begin
/// would fill the queues of the database, in which the calls of others wait behind it or are refused.
///
/// Users take turns, and one of them has an eighth of the places at most: who opens many streams holds up no other.
public final class StreamOpenings: Sendable {
  /// A stream whose turn came too late; nothing was read for it.
  public struct Overloaded: Error, StatusConvertible {
    public var status: Status {
      Status(
        .resourceExhausted, reason: "OVERLOADED", "Too many streams begin at this moment; try again shortly",
        retryAfter: .seconds(1))
    }
  }

  private typealias Turn = CheckedContinuation<Void, any Error>

  private struct State {
    var running = 0
    /// No entry for users of whom none begins.
    var runningOf: [UserID: Int] = [:]
    var lastTicket: UInt64 = 0
    /// With the moment after which each is refused.
    var waiting = FairQueue<UserID, (turn: Turn, until: ContinuousClock.Instant?)>()
    /// Tickets of streams that ended before they could wait.
    var ended: Set<UInt64> = []
  }

  /// How many begin at a time.
  private let limit: Int
  /// How many of one user do.
  private let limitOfUser: Int
  private let patience: Duration
  private let state = Mutex(State())
  private let waiting: Meter

  /// The description of the metric, by its label.
  public static let metricDescriptions = [
    "stream_openings_waiting": "Streams that wait for their turn to begin, by what they wait for."
  ]

  /// - Parameters:
  ///   - kind: what is begun, in the metric.
  ///   - limit: how many begin at a time: enough to keep the database at work.
  ///   - patience: a new stream whose turn comes later than this is refused, so that its client comes again.
  ///   - factory: where the metric is registered; by default the process's own.
  public init(
    _ kind: String, limit: Int = 64, patience: Duration = .seconds(30),
    factory: any MetricsFactory = MetricsSystem.factory
  ) {
    waiting = Meter(label: "stream_openings_waiting", dimensions: [("kind", kind)], factory: factory)
    (self.limit, self.patience) = (limit, patience)
    limitOfUser = max(1, limit / 8)
  }

  /// Runs what a stream of a user begins with, in its turn. It must not wait for its client, for whom all others would wait.
  ///
  /// - Parameter isNew: whether the stream has just begun; one that has something open already waits however long it takes.
  /// - Throws: ``Overloaded``, only if it is new; `CancellationError` when the stream ends while it waits; what `body` throws.
  public nonisolated(nonsending) func inTurn<Begun>(
    of user: UserID, isNew: Bool = true, _ body: nonisolated(nonsending) () async throws -> Begun
  ) async throws -> Begun {
    try await take(user, until: isNew ? .now + patience : nil)
    defer { give(user) }
    return try await body()
  }

  private nonisolated(nonsending) func take(_ user: UserID, until end: ContinuousClock.Instant?) async throws {
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
          if state.running < limit, state.runningOf[user] ?? 0 < limitOfUser {
            begin(user, &state)
            return .success(())
          }
          state.waiting.append((turn, end), ticket: ticket, for: user)
          return nil
        }
        if let answer { turn.resume(with: answer) } else { waiting.increment() }
      }
    } onCancel: {
      let turn = state.withLock { state -> Turn? in
        if let waiting = state.waiting.remove(ticket, of: user) { return waiting.turn }
        state.ended.insert(ticket)
        return nil
      }
      guard let turn else { return }
      waiting.decrement()
      turn.resume(throwing: CancellationError())
    }
  }

  private func give(_ user: UserID) {
    let now = ContinuousClock.now
    let (next, late) = state.withLock { state -> (Turn?, [Turn]) in
      state.running -= 1
      let left = (state.runningOf[user] ?? 1) - 1
      state.runningOf[user] = left > 0 ? left : nil
      guard state.running < limit else { return (nil, []) }
      let runningOf = state.runningOf
      var late: [Turn] = []
      while let (owner, waiting) = state.waiting.next(where: { runningOf[$0] ?? 0 < limitOfUser }) {
        if let end = waiting.until, end < now {
          late.append(waiting.turn)
          continue
        }
        begin(owner, &state)
        return (waiting.turn, late)
      }
      return (nil, late)
    }
    waiting.decrement(by: Double(late.count + (next == nil ? 0 : 1)))
    next?.resume()
    for turn in late { turn.resume(throwing: Overloaded()) }
  }

  private func begin(_ user: UserID, _ state: inout State) {
    state.running += 1
    state.runningOf[user, default: 0] += 1
  }
}
