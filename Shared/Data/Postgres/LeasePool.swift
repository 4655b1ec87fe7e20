import DequeModule
import LoopExecutor
import NIOCore

/// The connections of one event loop that a transaction, or a slow statement, has to itself while it lasts. Confined to the loop.
///
/// `@unchecked Sendable`: everything but `init` runs on the executor's loop.
final class LeasePool: @unchecked Sendable {
  /// A transaction or a slow statement that waits for a connection.
  ///
  /// `@unchecked Sendable`: touched on the loop only.
  final class Request: @unchecked Sendable {
    fileprivate var continuation: UnsafeContinuation<Pipeline, any Error>?
    fileprivate var isFinished = false
    fileprivate var timeout: Scheduled<Void>?
    /// Gives back its place in the queue.
    fileprivate var leaveQueue: (() -> Void)?

    fileprivate func finish(_ outcome: Result<Pipeline, any Error>) {
      if isFinished { return }
      isFinished = true
      timeout?.cancel()
      leaveQueue?()
      leaveQueue = nil
      continuation?.resume(with: outcome)
      continuation = nil
    }
  }

  private let executor: LoopExecutor
  private let makePipeline: () -> Pipeline
  private var size: Int
  private let queueLimit: Int
  private let timeout: TimeAmount
  private let metrics: PostgresMetrics
  private var made: [Pipeline] = []
  private var free: [Pipeline] = []
  private var waiting = Deque<Request>()
  /// Those of `waiting` that have not given up.
  private var waitingCount = 0
  private var isClosed = false

  /// - Parameters:
  ///   - size: connections that are made at most.
  ///   - queueLimit: those who may wait for one.
  ///   - timeout: how long they do.
  init(
    on executor: LoopExecutor, size: Int, queueLimit: Int, timeout: TimeAmount, metrics: PostgresMetrics,
    makePipeline: @escaping () -> Pipeline
  ) {
    self.executor = executor
    self.makePipeline = makePipeline
    self.metrics = metrics
    self.size = size
    self.queueLimit = queueLimit
    self.timeout = timeout
  }

  /// Makes `size` connections at most from now on; those that are there stay. On the loop only.
  func resize(to size: Int) {
    self.size = size
    while made.count < size, !isClosed, let request = waiting.popFirst() {
      if !request.isFinished { request.finish(.success(make())) }
    }
  }

  private func make() -> Pipeline {
    let pipeline = makePipeline()
    made.append(pipeline)
    return pipeline
  }

  /// Waits for a connection; gives it back with ``giveBack(_:)``.
  func lease() async throws -> Pipeline {
    let request = Request()
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Pipeline, any Error>) in
        executor.perform {
          request.continuation = continuation
          self.grant(request)
        }
      }
    } onCancel: {
      executor.loop.execute { request.finish(.failure(CancellationError())) }
    }
  }

  private func grant(_ request: Request) {
    if request.isFinished {
      // Its cancellation came first and found nobody to tell.
      request.continuation?.resume(throwing: CancellationError())
      return request.continuation = nil
    }
    if isClosed { return request.finish(.failure(PostgresError.unavailable("the database was closed"))) }
    if let pipeline = takeFree() { return request.finish(.success(pipeline)) }
    if made.count < size { return request.finish(.success(make())) }
    metrics.poolWaits.increment()
    guard waitingCount < queueLimit else {
      metrics.overloads.increment()
      return request.finish(.failure(PostgresError.overloaded("\(queueLimit) wait for a connection already")))
    }
    enqueue(request)
    request.timeout = executor.loop.scheduleTask(in: timeout) { [metrics] in
      metrics.overloads.increment()
      request.finish(.failure(PostgresError.overloaded("no connection became free in time")))
    }
  }

  /// Those who give up leave their place at once, whatever waits before them: a caller who asks and gives up again and again fills nothing.
  private func enqueue(_ request: Request) {
    if waiting.count > 2 * (waitingCount + 64) { waiting.removeAll(where: \.isFinished) }
    waiting.append(request)
    waitingCount += 1
    request.leaveQueue = { [weak self] in self?.waitingCount -= 1 }
  }

  /// One that nobody has: the last used of those that are connected, else one that connects again, or did not need to yet.
  private func takeFree() -> Pipeline? {
    guard let place = free.lastIndex(where: \.isUp) else { return free.popLast() }
    return free.remove(at: place)
  }

  /// Hands `pipeline` to the next who waits. Nothing may run on it.
  func giveBack(_ pipeline: Pipeline) {
    while let request = waiting.popFirst() {
      if request.isFinished { continue }
      return request.finish(.success(pipeline))
    }
    free.append(pipeline)
  }

  /// Closes the connections; whoever waits gets an unavailable error.
  func close() {
    isClosed = true
    for pipeline in made { pipeline.close() }
    for request in waiting { request.finish(.failure(PostgresError.unavailable("the database was closed"))) }
    waiting.removeAll()
  }
}

extension LoopExecutor {
  /// Runs `work` on the loop: now when this is the loop, else soon.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { work() } else { loop.execute(work) }
  }
}
