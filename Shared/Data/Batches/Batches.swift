package import AsyncSignal
package import Identifiers
package import Synchronization

/// What callers hand in, and wait for until it is stored together with what others handed in: what comes while a batch is being stored is the
/// next one, so that many share a transaction and its flush.
///
/// Entries are spread over lanes, each of which stores one batch after the other. In a lane users take turns, and what one of them hands in stays
/// in order.
package final class Batches<Entry: Sendable, Answer: Sendable>: Sendable {
  /// An entry whose caller waits.
  package struct Waiting: Sendable {
    package let entry: Entry
    @usableFromInline let continuation: CheckedContinuation<Answer, any Error>

    @inlinable
    init(entry: Entry, continuation: CheckedContinuation<Answer, any Error>) {
      (self.entry, self.continuation) = (entry, continuation)
    }

    /// Answers who handed it in; each is to be answered once.
    @inlinable
    package func answer(_ result: Result<Answer, any Error>) { continuation.resume(with: result) }
  }

  @usableFromInline
  final class Lane: Sendable {
    @usableFromInline
    struct State {
      @usableFromInline var waiting: BatchQueue<Waiting>
      @usableFromInline var isClosed = false

      @inlinable
      init(_ waiting: BatchQueue<Waiting>) { self.waiting = waiting }
    }

    @usableFromInline let state: Mutex<State>
    /// Sent when something waits.
    @usableFromInline let signal = AsyncSignal()

    @inlinable
    init(_ limits: BatchLimits) { state = Mutex(State(BatchQueue(limits))) }
  }

  @usableFromInline let lanes: [Lane]

  /// - Parameter limits: of each lane.
  @inlinable
  package init(lanes count: Int, _ limits: BatchLimits) { lanes = (0..<count).map { _ in Lane(limits) } }

  /// Hands an entry of a user in; returns once it was stored.
  ///
  /// - Parameters:
  ///   - keys: no two entries of a batch have one in common.
  ///   - number: of the lane, modulo how many there are: entries of one lane are stored one batch after the other.
  /// - Throws: ``BatchRefusal``; why it was not stored.
  @inlinable
  package func hand(in entry: Entry, weight: Int = 1, keys: [UUID7] = [], of user: UserID, lane number: UInt64)
    async throws -> Answer
  {
    let lane = lanes[Int(number % UInt64(lanes.count))]
    return try await withCheckedThrowingContinuation { continuation in
      let refusal = lane.state.withLock { state -> BatchRefusal? in
        if state.isClosed { return .stopping }
        do throws(BatchRefusal) {
          try state.waiting.add(Waiting(entry: entry, continuation: continuation), weight: weight, keys: keys, of: user)
          return nil
        } catch { return error }
      }
      if let refusal { continuation.resume(throwing: refusal) } else { lane.signal.send() }
    }
  }

  /// Has batches stored until the task is cancelled; then what waits is refused, and what comes.
  ///
  /// - Parameters:
  ///   - executors: where the lanes are emptied, each on one of them.
  ///   - store: stores a batch, and answers each of its entries.
  @inlinable
  package func empty(
    on executors: [any TaskExecutor], in size: BatchSize, _ store: @escaping @Sendable ([Waiting]) async -> Void
  ) async {
    await withTaskGroup { group in
      for (number, lane) in lanes.enumerated() {
        group.addTask(executorPreference: executors[number % executors.count]) {
          await self.empty(lane, in: size, store)
        }
      }
    }
  }

  @inlinable
  func empty(_ lane: Lane, in size: BatchSize, _ store: @Sendable ([Waiting]) async -> Void) async {
    for await _ in lane.signal {
      while true {
        let batch = lane.state.withLock { $0.waiting.take(size) }
        if batch.isEmpty { break }
        await store(batch)
      }
    }
    let rest = lane.state.withLock { state in
      state.isClosed = true
      return state.waiting.removeAll()
    }
    for waiting in rest { waiting.answer(.failure(BatchRefusal.stopping)) }
  }
}
