import DequeModule
import LoopExecutor
import NIOCore

/// The connections of one event loop of which a transaction, or a slow statement, has one to itself while it lasts.
/// Confined to the loop.
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
    /// Removes it from the queue.
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
  /// The requests of `waiting` that were not cancelled.
  private var waitingCount = 0
  private var isClosed = false

  /// - Parameters:
  ///   - size: the most connections.
  ///   - queueLimit: the most requests that wait.
  ///   - timeout: the longest wait.
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

  /// Sets the most connections; existing ones stay. On the loop only.
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

  /// Waits for a connection; return it with ``giveBack(_:)``.
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
      // The cancellation came before the continuation was set.
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

  /// Cancelled requests leave the queue at once, whatever waits before them: a caller that requests and cancels
  /// repeatedly fills nothing.
  private func enqueue(_ request: Request) {
    if waiting.count > 2 * (waitingCount + 64) { waiting.removeAll(where: \.isFinished) }
    waiting.append(request)
    waitingCount += 1
    request.leaveQueue = { [weak self] in self?.waitingCount -= 1 }
  }

  /// A free connection: the last used of those that are connected, else one that reconnects, or was not opened yet.
  private func takeFree() -> Pipeline? {
    guard let place = free.lastIndex(where: \.isUp) else { return free.popLast() }
    return free.remove(at: place)
  }

  /// Hands `pipeline` to the next request. No statement may be running on it.
  func giveBack(_ pipeline: Pipeline) {
    while let request = waiting.popFirst() {
      if request.isFinished { continue }
      return request.finish(.success(pipeline))
    }
    free.append(pipeline)
  }

  /// Closes the connections; waiting requests get an unavailable error.
  func close() {
    isClosed = true
    for pipeline in made { pipeline.close() }
    for request in waiting { request.finish(.failure(PostgresError.unavailable("the database was closed"))) }
    waiting.removeAll()
  }
}

extension LoopExecutor {
  /// Runs `work` on the loop: at once when called there, else soon.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { work() } else { loop.execute(work) }
  }
}
