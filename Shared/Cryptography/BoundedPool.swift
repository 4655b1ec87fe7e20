import Dispatch
import Synchronization

/// Runs blocking work on threads of its own: so many at a time, so many waiting, and no more.
///
/// Work never runs on an event loop or on Swift's cooperative threads, so a burst of it delays nobody else's calls.
///
/// There are two lanes. Work of the narrow one has a share of the workers and places of its own, and never more; work of the wide one may have
/// all workers. Where both wait they take turns, so neither waits for more than its share lets it.
public final class BoundedPool: Sendable {
  /// On which terms work is done.
  public enum Lane: Sendable, Hashable {
    /// By any worker.
    case wide
    /// By so many workers at most as the pool keeps for it.
    case narrow
  }

  /// Every worker is busy and every waiting place is taken; trying again a little later may help.
  public struct Overloaded: Error, Sendable {}

  /// The work of a lane, in the order in which it came.
  private struct Line {
    var running = 0
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var turns: [UInt64] = []
    var firstTurn = 0

    mutating func append(_ ticket: UInt64, _ body: @escaping @Sendable () -> Void) {
      waiting[ticket] = body
      turns.append(ticket)
    }

    mutating func next() -> (@Sendable () -> Void)? {
      while firstTurn < turns.count {
        let ticket = turns[firstTurn]
        firstTurn += 1
        if let body = waiting.removeValue(forKey: ticket) { return body }
      }
      turns.removeAll(keepingCapacity: true)
      firstTurn = 0
      return nil
    }

    mutating func leave(_ ticket: UInt64) {
      waiting[ticket] = nil
      // Left tickets stay in `turns` until they are passed over; drop what was passed once it outweighs the rest.
      if turns.count > 2 * (waiting.count + 64) {
        turns = turns[firstTurn...].filter { waiting[$0] != nil }
        firstTurn = 0
      }
    }
  }

  private struct State {
    var wide = Line()
    var narrow = Line()
    var lastTaken = Lane.narrow
    var nextTicket: UInt64 = 0

    subscript(lane: Lane) -> Line {
      get { lane == .wide ? wide : narrow }
      _modify {
        switch lane {
        case .wide: yield &wide
        case .narrow: yield &narrow
        }
      }
    }
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let workers: Int
  private let places: Int
  private let narrowWorkers: Int
  private let narrowPlaces: Int

  /// A pool of `workers` threads at most, with `places` for work that waits.
  ///
  /// - Parameters:
  ///   - narrowWorkers: how many of the workers the narrow lane may have at a time; all when `nil`.
  ///   - narrowPlaces: places of the narrow lane's own; as many as the wide lane's when `nil`.
  public init(label: String, workers: Int, places: Int, narrowWorkers: Int? = nil, narrowPlaces: Int? = nil) {
    precondition(workers > 0 && places >= 0, "a pool needs a worker")
    queue = DispatchQueue(label: label, attributes: .concurrent)
    self.workers = workers
    self.places = places
    self.narrowWorkers = min(narrowWorkers ?? workers, workers)
    self.narrowPlaces = narrowPlaces ?? places
    precondition(self.narrowWorkers > 0 && self.narrowPlaces >= 0, "a lane needs a worker")
  }

  /// How much work waits for a worker now.
  public var waitingCount: Int { state.withLock { $0.wide.waiting.count + $0.narrow.waiting.count } }

  /// Runs `work` in its turn and answers with its result.
  ///
  /// - Throws: `Overloaded` at once when there is no place; `CancellationError` when the task is cancelled while it
  ///   waits (started work is finished, because nothing could stop it); or what `work` throws.
  public func run<Result: Sendable>(
    _ lane: Lane = .wide, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let job = Job<Result>()
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard job.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
        let admitted = enqueue(ticket, in: lane) {
          guard let continuation = job.take() else { return }
          continuation.resume(with: Swift.Result { try work() })
        }
        if !admitted { job.take()?.resume(throwing: Overloaded()) }
      }
    } onCancel: {
      state.withLock { $0[lane].leave(ticket) }
      job.cancel()?.resume(throwing: CancellationError())
    }
  }

  private func enqueue(_ ticket: UInt64, in lane: Lane, _ body: @escaping @Sendable () -> Void) -> Bool {
    let (admitted, starts) = state.withLock { state in
      if state.wide.running + state.narrow.running < workers, lane == .wide || state.narrow.running < narrowWorkers {
        state[lane].running += 1
        return (true, true)
      }
      guard state[lane].waiting.count < (lane == .wide ? places : narrowPlaces) else { return (false, false) }
      state[lane].append(ticket, body)
      return (true, false)
    }
    if starts { queue.async { self.work(in: lane, through: body) } }
    return admitted
  }

  /// A worker's life: its first piece of work, then whatever waits, until nothing does that it may take.
  private func work(in first: Lane, through body: @Sendable () -> Void) {
    body()
    var lane = first
    while let next = nextWaiting(after: lane) {
      next.body()
      lane = next.lane
    }
  }

  private func nextWaiting(after done: Lane) -> (lane: Lane, body: @Sendable () -> Void)? {
    state.withLock { state in
      state[done].running -= 1
      // The lane that was not taken last comes first.
      for lane in state.lastTaken == .wide ? [Lane.narrow, .wide] : [.wide, .narrow] {
        guard lane == .wide || state.narrow.running < narrowWorkers, let body = state[lane].next() else { continue }
        state[lane].running += 1
        state.lastTaken = lane
        return (lane, body)
      }
      return nil
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
