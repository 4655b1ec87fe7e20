import Dispatch
import Synchronization

/// Runs blocking work on threads of its own: so many at a time, so many waiting, and no more.
///
/// Work never runs on an event loop or on Swift's cooperative threads, so a burst of it delays nobody else's calls.
public final class BoundedPool: Sendable {
  /// Every worker is busy and every waiting place is taken; trying again a little later may help.
  public struct Overloaded: Error, Sendable {}

  private struct State {
    var running = 0
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var turns: [UInt64] = []
    var firstTurn = 0
    var nextTicket: UInt64 = 0
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let workers: Int
  private let places: Int

  /// A pool of `workers` threads at most, with `places` for work that waits.
  public init(label: String, workers: Int, places: Int) {
    precondition(workers > 0 && places >= 0, "a pool needs a worker")
    queue = DispatchQueue(label: label, attributes: .concurrent)
    self.workers = workers
    self.places = places
  }

  /// How much work waits for a worker now.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `work` in its turn and answers with its result.
  ///
  /// - Throws: `Overloaded` at once when there is no place; `CancellationError` when the task is cancelled while it
  ///   waits (started work is finished, because nothing could stop it); or what `work` throws.
  public func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let job = Job<Result>()
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard job.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
        let admitted = enqueue(ticket) {
          guard let continuation = job.take() else { return }
          continuation.resume(with: Swift.Result { try work() })
        }
        if !admitted { job.take()?.resume(throwing: Overloaded()) }
      }
    } onCancel: {
      leaveQueue(ticket)
      job.cancel()?.resume(throwing: CancellationError())
    }
  }

  private func enqueue(_ ticket: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
    let (admitted, starts) = state.withLock { state in
      if state.running < workers {
        state.running += 1
        return (true, true)
      }
      guard state.waiting.count < places else { return (false, false) }
      state.waiting[ticket] = body
      state.turns.append(ticket)
      return (true, false)
    }
    if starts { queue.async { self.work(through: body) } }
    return admitted
  }

  /// A worker's life: its first piece of work, then whatever waits, until nothing does.
  private func work(through first: @Sendable () -> Void) {
    first()
    while let next = nextWaiting() { next() }
  }

  private func nextWaiting() -> (@Sendable () -> Void)? {
    state.withLock { state in
      while state.firstTurn < state.turns.count {
        let ticket = state.turns[state.firstTurn]
        state.firstTurn += 1
        if let body = state.waiting.removeValue(forKey: ticket) { return body }
      }
      state.turns.removeAll(keepingCapacity: true)
      state.firstTurn = 0
      state.running -= 1
      return nil
    }
  }

  private func leaveQueue(_ ticket: UInt64) {
    state.withLock { state in
      state.waiting[ticket] = nil
      // Left tickets stay in `turns` until they are passed over; drop what was passed once it outweighs the rest.
      if state.turns.count > 2 * (state.waiting.count + 64) {
        state.turns = state.turns[state.firstTurn...].filter { state.waiting[$0] != nil }
        state.firstTurn = 0
      }
    }
  }
}

/// Hands one continuation to whichever comes first, the worker or the cancellation.
private final class Job<Result: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    case taken
  }

  private let state = Mutex(State.new)

  /// `false` when the task was cancelled before it came to wait.
  func begin(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
  }

  func take() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      guard case .waiting(let continuation) = state else { return nil }
      state = .taken
      return continuation
    }
  }

  func cancel() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      defer { state = .taken }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
  }
}
