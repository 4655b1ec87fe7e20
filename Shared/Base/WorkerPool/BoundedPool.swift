import Dispatch
import Synchronization

/// Runs blocking work on threads of its own, with a bound on what runs at a time and on what waits.
///
/// Work never runs on an event loop or on Swift's cooperative threads, so a burst of it delays no other calls.
///
/// There are two lanes. Work of the narrow one has a share of the workers and places of its own, and never more; work
/// of the wide one may have all workers. Where both wait they take turns, so neither waits for more than its share
/// allows.
///
/// Within a lane the owners of work take turns too ("fair queueing", Nagle, RFC 970), and one of them has half of its
/// workers at most, however few others there are. When the queue is full, the owner of most of its entries loses the
/// newest of them to an owner that has at least two fewer.
public final class BoundedPool: Sendable {
  /// Which workers may run the work.
  public enum Lane: Sendable, Hashable {
    /// Any worker.
    case wide
    /// At most the workers that the pool reserves for this lane.
    case narrow
  }

  /// Every worker is busy and every waiting place is taken; trying again a little later may help.
  public struct Overloaded: Error, Sendable {}

  private struct Line {
    var running = 0
    var runningOf: [String: Int] = [:]
    var waiting = FairQueue<String?, any Work>()

    mutating func start(of owner: String?) {
      running += 1
      if let owner { runningOf[owner, default: 0] += 1 }
    }

    mutating func end(of owner: String?) {
      running -= 1
      guard let owner, let count = runningOf[owner] else { return }
      runningOf[owner] = count > 1 ? count - 1 : nil
    }
  }

  private struct State {
    var wide = Line()
    var narrow = Line()
    var lastTaken = Lane.narrow
    /// A serial queue for each worker that has no work.
    var idle: [DispatchQueue]
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

  private let state: Mutex<State>
  private let workers: Int
  private let places: Int
  private let narrowWorkers: Int
  private let narrowPlaces: Int

  /// A pool of `workers` threads at most, with `places` for work that waits.
  ///
  /// - Parameters:
  ///   - narrowWorkers: how many of the workers the narrow lane may have at a time; all when `nil`.
  ///   - narrowPlaces: places of the narrow lane's own; as many as the wide lane's when `nil`.
  public init(
    label: String, workers: Int, places: Int, narrowWorkers: Int? = nil, narrowPlaces: Int? = nil
  ) {
    precondition(workers > 0 && places >= 0, "a pool needs a worker")
    // Serial queues, because all concurrent queues of a priority share as many threads as there are cores: a pool that
    // keeps those busy stops the others.
    state = Mutex(State(idle: (0..<workers).map { DispatchQueue(label: "\(label).\($0)") }))
    self.workers = workers
    self.places = places
    self.narrowWorkers = min(narrowWorkers ?? workers, workers)
    self.narrowPlaces = narrowPlaces ?? places
    precondition(self.narrowWorkers > 0 && self.narrowPlaces >= 0, "a lane needs a worker")
  }

  /// How much work waits for a worker now.
  public var waitingCount: Int { state.withLock { $0.wide.waiting.count + $0.narrow.waiting.count } }

  /// Refuses work that would find no place, before anything else is done for it.
  ///
  /// - Throws: `Overloaded`.
  public func requirePlace(_ lane: Lane = .wide, for owner: String? = nil) throws(Overloaded) {
    let isPlace = state.withLock { state in
      hasWorker(for: lane, state) && mayHaveOneMore(owner, of: lane, state[lane].runningOf) || hasPlace(in: lane, state)
        || state[lane].waiting.canMakeRoom(for: owner)
    }
    if !isPlace { throw Overloaded() }
  }

  private func hasPlace(in lane: Lane, _ state: borrowing State) -> Bool {
    state[lane].waiting.count < (lane == .wide ? places : narrowPlaces)
  }

  /// Runs `work` in its turn and returns its result.
  ///
  /// - Parameter owner: on whose behalf it runs; `nil` for the suite's own work, which takes turns with the others and
  ///   may have all workers.
  /// - Throws: `Overloaded` at once when there is no place, or as soon as it loses its place; `CancellationError` when
  ///   the task is cancelled while it waits (started work is finished, because nothing could stop it); or what `work`
  ///   throws.
  public func run<Result: Sendable>(
    _ lane: Lane = .wide, for owner: String? = nil,
    _ work: @escaping @Sendable (borrowing PoolThread) throws -> Result
  ) async throws -> Result {
    let job = Job(work)
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard job.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
        enqueue(job, ticket, in: lane, for: owner)
      }
    } onCancel: {
      state.withLock { _ = $0[lane].waiting.remove(ticket, of: owner) }
      job.refuse(CancellationError())
    }
  }

  /// The same for work that does not ask for the proof.
  public func run<Result: Sendable>(
    _ lane: Lane = .wide, for owner: String? = nil, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await run(lane, for: owner) { (_: borrowing PoolThread) in try work() }
  }

  private func enqueue(_ work: any Work, _ ticket: UInt64, in lane: Lane, for owner: String?) {
    let (worker, refused) = state.withLock { state -> (DispatchQueue?, (any Work)?) in
      if hasWorker(for: lane, state), mayHaveOneMore(owner, of: lane, state[lane].runningOf) {
        state[lane].start(of: owner)
        return (state.idle.removeLast(), nil)
      }
      var refused: (any Work)?
      if !hasPlace(in: lane, state) {
        refused = state[lane].waiting.removeNewest(inFavourOf: owner)
        if refused == nil { return (nil, work) }
      }
      state[lane].waiting.append(work, ticket: ticket, for: owner)
      return (nil, refused)
    }
    refused?.refuse(Overloaded())
    if let worker { worker.async { self.run(work, in: lane, for: owner, by: worker) } }
  }

  private func hasWorker(for lane: Lane, _ state: borrowing State) -> Bool {
    state.wide.running + state.narrow.running < workers && (lane == .wide || state.narrow.running < narrowWorkers)
  }

  /// Whether one more of the owner's work may run: at most half of the lane's workers run one owner's, and at least one
  /// may.
  private func mayHaveOneMore(_ owner: String?, of lane: Lane, _ running: [String: Int]) -> Bool {
    owner.map { running[$0, default: 0] < max(1, (lane == .wide ? workers : narrowWorkers) / 2) } ?? true
  }

  private func takeNext(of lane: Lane, _ state: inout State) -> (owner: String?, element: any Work)? {
    guard hasWorker(for: lane, state) else { return nil }
    let running = state[lane].runningOf
    guard let next = state[lane].waiting.next(where: { mayHaveOneMore($0, of: lane, running) }) else { return nil }
    state[lane].start(of: next.owner)
    return next
  }

  /// A worker's loop: the first piece of work, then waiting work, until there is none that it may take.
  private func run(_ first: any Work, in lane: Lane, for owner: String?, by worker: DispatchQueue) {
    first.run()
    var (lane, owner) = (lane, owner)
    while let next = next(after: lane, of: owner, by: worker) {
      next.work.run()
      (lane, owner) = (next.lane, next.owner)
    }
  }

  private func next(
    after lane: Lane, of owner: String?, by worker: DispatchQueue
  ) -> (work: any Work, lane: Lane, owner: String?)? {
    state.withLock { state in
      state[lane].end(of: owner)
      // The lane that was not served last comes first.
      for lane in state.lastTaken == .wide ? [Lane.narrow, .wide] : [.wide, .narrow] {
        guard let next = takeNext(of: lane, &state) else { continue }
        state.lastTaken = lane
        return (next.element, lane, next.owner)
      }
      state.idle.append(worker)
      return nil
    }
  }
}

/// A piece of work that a pool runs or refuses.
private protocol Work: Sendable {
  func run()
  func refuse(_ error: any Error)
}

/// Resumes one continuation once: by the worker's result, or by what ends the wait before.
private final class Job<Result: Sendable>: Work {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    case taken
  }

  private let state = Mutex(State.new)
  private let work: @Sendable (borrowing PoolThread) throws -> Result

  init(_ work: @escaping @Sendable (borrowing PoolThread) throws -> Result) { self.work = work }

  /// `false` when the task was cancelled before it began to wait.
  func begin(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
  }

  func run() {
    guard let continuation = take() else { return }
    continuation.resume(with: Swift.Result { try work(PoolThread()) })
  }

  func refuse(_ error: any Error) { take()?.resume(throwing: error) }

  private func take() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      defer { state = .taken }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
  }
}
