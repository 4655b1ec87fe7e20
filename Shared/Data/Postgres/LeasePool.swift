import LoopExecutor
import NIOCore
import WorkerPool

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
    /// On whose behalf it waits.
    let owner: WorkOwner?

    fileprivate init(for owner: WorkOwner?) { self.owner = owner }

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

  /// What a transaction takes that waits for nothing but a busy disk.
  private static let soon = TimeAmount.milliseconds(250)

  private let executor: LoopExecutor
  private let makePipeline: () -> Pipeline
  private var shares: LeaseShares
  private let queueLimit: Int
  private let timeout: TimeAmount
  private let metrics: PostgresMetrics
  private var made: [Pipeline] = []
  private var free: [Pipeline] = []
  /// When those that are held were handed out.
  private var heldSince: [ObjectIdentifier: NIODeadline] = [:]
  private var waiting = FairQueue<WorkOwner?, Request>()
  private var lastTicket: UInt64 = 0
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
    shares = LeaseShares(size: size)
    self.queueLimit = queueLimit
    self.timeout = timeout
  }

  /// Sets the most connections; existing ones stay. On the loop only.
  func resize(to size: Int) {
    shares.size = size
    serve()
  }

  /// Hands connections to those that wait, as far as there are some and each may have one more.
  private func serve() {
    while !isClosed, hasConnection, let next = waiting.next(where: { shares.mayTake($0) }), let pipeline = take() {
      hand(pipeline, to: next.element)
    }
  }

  private func hand(_ pipeline: Pipeline, to request: Request) {
    shares.take(request.owner)
    heldSince[ObjectIdentifier(pipeline)] = .now()
    request.leaveQueue = nil
    request.finish(.success(pipeline))
  }

  private var hasConnection: Bool { !free.isEmpty || made.count < shares.size }

  private func take() -> Pipeline? { takeFree() ?? (made.count < shares.size ? make() : nil) }

  private func make() -> Pipeline {
    let pipeline = makePipeline()
    made.append(pipeline)
    return pipeline
  }

  /// Waits for a connection; return it with ``giveBack(_:from:)``.
  ///
  /// - Parameter owner: who waits, in turns with others, and holds a part of the connections at most.
  func lease(for owner: WorkOwner?) async throws -> Pipeline {
    let request = Request(for: owner)
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
    if shares.mayTake(request.owner), let pipeline = take() { return hand(pipeline, to: request) }
    metrics.poolWaits.increment()
    guard waiting.count < queueLimit || refuseAnother(inFavourOf: request) else { return refuse(request) }
    enqueue(request)
    request.timeout = executor.loop.scheduleTask(in: timeout) { [metrics] in
      metrics.overloads.increment()
      request.finish(.failure(PostgresError.overloaded("no connection became free in time")))
    }
  }

  /// Cancelled requests leave the queue at once, whatever waits before them: a caller that requests and cancels
  /// repeatedly fills nothing.
  private func enqueue(_ request: Request) {
    lastTicket += 1
    let (ticket, owner) = (lastTicket, request.owner)
    waiting.append(request, ticket: ticket, for: owner)
    request.leaveQueue = { [weak self] in _ = self?.waiting.remove(ticket, of: owner) }
  }

  /// Refuses the newest request of the owner with most of them, where that has at least two more than this one's.
  private func refuseAnother(inFavourOf request: Request) -> Bool {
    guard let other = waiting.removeNewest(inFavourOf: request.owner) else { return false }
    other.leaveQueue = nil
    refuse(other)
    return true
  }

  private func refuse(_ request: Request) {
    metrics.overloads.increment()
    request.finish(.failure(PostgresError.overloaded("\(queueLimit) wait for a connection already")))
  }

  /// A free connection: the last used of those that are connected, else one that reconnects, or was not opened yet.
  private func takeFree() -> Pipeline? {
    guard let place = free.lastIndex(where: \.isUp) else { return free.popLast() }
    return free.remove(at: place)
  }

  /// Hands `pipeline` to the next request. No statement may be running on it.
  func giveBack(_ pipeline: Pipeline, from owner: WorkOwner?) {
    let since = heldSince.removeValue(forKey: ObjectIdentifier(pipeline))
    shares.leave(owner, isSoon: since.map { NIODeadline.now() - $0 < Self.soon } ?? false)
    free.append(pipeline)
    serve()
  }

  /// Closes the connections; waiting requests get an unavailable error.
  func close() {
    isClosed = true
    for pipeline in made { pipeline.close() }
    for request in waiting.removeAll() {
      request.leaveQueue = nil
      request.finish(.failure(PostgresError.unavailable("the database was closed")))
    }
  }
}

extension LoopExecutor {
  /// Runs `work` on the loop: at once when called there, else soon.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { work() } else { loop.execute(work) }
  }
}
