import FieldViolations
import Logging
import LoopExecutor
import NIOCore
public import ServiceLifecycle
import Synchronization

/// A PostgreSQL database for tasks on event loops, which it does not block.
///
/// Each loop has a pipeline for reads, one for writes, a few connections for transactions and a few for slow work
/// (``Pace/slow``), all made at first use. Where the server allows too few connections for that, some loops use others'
/// (``PoolSizes``). A lost connection is reopened; until then calls fail with ``PostgresError/isUnavailable``, and then
/// **the outcome of a write is unknown**. Close it, or let a service group ``run()`` it: its connections would stay
/// open otherwise.
///
/// A call whose task is cancelled throws `CancellationError` at once; if its statement was sent already, it may still
/// take effect.
public final class Database: Service, Sendable {
  let configuration: DatabaseConfiguration
  /// The sizes of the pools without a limit.
  let wanted: PoolSizes
  let metrics: PostgresMetrics
  private let loops: [DatabaseLoop]
  private let logger: Logger
  /// How many of the loops, from the first, have pipelines, connections for transactions, and connections for slow
  /// work. They only grow.
  private let pipelinedLoops: Atomic<Int>
  private let transactionLoops: Atomic<Int>
  private let slowLoops: Atomic<Int>

  /// Describes a database without connecting.
  ///
  /// - Parameter loops: the executors whose tasks will call it; calls from elsewhere are spread over them.
  /// - Throws: ``PostgresError`` of kind `parameter` when the URL cannot be read; its message does not show the URL.
  public init(_ configuration: DatabaseConfiguration, loops: [LoopExecutor], logger: Logger) throws(PostgresError) {
    precondition(!loops.isEmpty, "a database needs an event loop")
    let metrics = PostgresMetrics(database: configuration.applicationName)
    self.metrics = metrics
    self.configuration = configuration
    self.logger = logger
    wanted = PoolSizes(configuration, loops: loops.count)
    let sizes = configuration.connectionLimit == nil ? wanted : .minimum
    let connectors = try Connectors(configuration)
    self.loops = loops.enumerated().map { place, loop in
      DatabaseLoop(
        on: loop, configuration, sizes.parts(at: place, loops: loops.count), connectors, metrics: metrics,
        logger: logger)
    }
    pipelinedLoops = Atomic(sizes.pipelined)
    transactionLoops = Atomic(min(sizes.transactions, loops.count))
    slowLoops = Atomic(min(sizes.slow, loops.count))
  }

  /// Sets the sizes of the pools, none of them smaller than before.
  func resize(to sizes: PoolSizes) {
    for (place, loop) in loops.enumerated() {
      let parts = sizes.parts(at: place, loops: loops.count)
      loop.executor.perform {
        loop.transactions.resize(to: parts.transactions)
        loop.slow.resize(to: parts.slow)
      }
    }
    // Stored after the loops' own resizing was queued: a call that is sent to a pool from now on finds it with its new
    // size.
    pipelinedLoops.store(sizes.pipelined, ordering: .releasing)
    transactionLoops.store(min(sizes.transactions, loops.count), ordering: .releasing)
    slowLoops.store(min(sizes.slow, loops.count), ordering: .releasing)
  }

  /// The rows of a statement that changes nothing, through the read pipeline of the caller's loop, or on a connection
  /// for slow ones.
  ///
  /// A quick statement that writes is refused by the server (`25006`): reads are answered before their burst commits.
  /// - Throws: ``PostgresError/isOverloaded`` when too many calls wait, or no connection for a slow one became free in
  ///   time.
  public nonisolated(nonsending) func rows<S: Statement>(_ statement: S) async throws -> [S.Row] {
    if S.pace == .slow { return try await runAlone(statement) }
    let loop = loops[place(among: pipelinedLoops)]
    return try await loop.run(StatementCall(statement), through: loop.reads)
  }

  /// The row of a statement that changes nothing; see ``rows(_:)``.
  public nonisolated(nonsending) func first<S: SingleRowStatement>(_ statement: S) async throws -> S.Row? {
    try await rows(statement).first
  }

  /// Runs a single statement as a transaction of its own; it is durable when this returns.
  @discardableResult
  public nonisolated(nonsending) func write<S: Statement>(_ statement: S) async throws -> [S.Row] {
    try Violations.requireNoneDecoded()
    if S.pace == .slow { return try await runAlone(statement) }
    let loop = loops[place(among: pipelinedLoops)]
    return try await loop.run(StatementCall(statement), through: loop.writes)
  }

  /// Runs a single statement that shares its commit with others that wait at the same time; it is durable when this returns.
  ///
  /// The statement must be idempotent: when a neighbour fails all run again, each alone, and each caller gets only its
  /// own failure. Statements of a group must not lock the same rows in a different order than transactions elsewhere
  /// do.
  public nonisolated(nonsending) func groupedWrite<S: Statement>(_ statement: S) async throws {
    try Violations.requireNoneDecoded()
    let loop = loops[place(among: pipelinedLoops)]
    _ = try await loop.run(StatementCall(statement, isGrouped: true), through: loop.writes)
  }

  /// Runs `body` in a transaction: commits when it returns, rolls back when it throws. It is never run twice.
  ///
  /// - Parameter pace: `slow` for a body that reads or changes thousands of rows: it then takes a connection for slow
  ///   statements.
  /// - Throws: what `body` throws; ``PostgresError/isOverloaded`` when no connection became free in time.
  public nonisolated(nonsending) func transaction<R>(
    isolation: Isolation = .readCommitted, pace: Pace = .quick,
    _ body: nonisolated(nonsending) (Transaction) async throws -> R
  ) async throws -> R {
    try Violations.requireNoneDecoded()
    let pool = pool(for: pace)
    let pipeline = try await pool.lease()
    let lease = Lease(pipeline, isolation)
    defer { pipeline.executor.perform { pool.giveBack(pipeline) } }
    let outcome: R
    do {
      outcome = try await body(Transaction(lease))
    } catch {
      await lease.rollback()
      throw error
    }
    try await lease.commit()
    return outcome
  }

  /// Runs a statement on a connection that it has to itself. When the task is cancelled the server is asked to stop.
  private nonisolated(nonsending) func runAlone<S: Statement>(_ statement: S) async throws -> [S.Row] {
    let pool = pool(for: .slow)
    let pipeline = try await pool.lease()
    let lease = Lease(pipeline, nil)
    defer { pipeline.executor.perform { pool.giveBack(pipeline) } }
    let outcome: Result<[S.Row], any Error>
    do { outcome = .success(try await lease.run(StatementCall(statement))) } catch { outcome = .failure(error) }
    await lease.quiet()
    return try outcome.get()
  }

  /// Returns when the database answers; throws an unavailable error when it does not.
  public func ping() async throws {
    _ = try await rows(Ping())
  }

  /// The server's version, for example `15.18`.
  public func serverVersion() async throws -> String {
    try await first(ServerVersion()) ?? ""
  }

  /// Connects and stays until the service group shuts down or the task is cancelled; then closes.
  public func run() async throws {
    for loop in loops[..<pipelinedLoops.load(ordering: .acquiring)] { loop.executor.perform { loop.reads.open() } }
    do {
      try await gracefulShutdown()
    } catch is CancellationError {
      // Cancellation stops it as well.
    }
    await close()
  }

  /// Closes all connections; calls that wait, and later ones, get an unavailable error.
  public func close() async {
    for loop in loops {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        loop.executor.perform {
          loop.close()
          continuation.resume()
        }
      }
    }
  }

  /// The pool for work of this pace.
  private func pool(for pace: Pace) -> LeasePool {
    switch pace {
    case .quick: loops[place(among: transactionLoops)].transactions
    case .slow: loops[place(among: slowLoops)].slow
    }
  }

  /// The caller's loop where it is among the first `count`, else one of these.
  private func place(among count: borrowing Atomic<Int>) -> Int {
    let count = count.load(ordering: .acquiring)
    if let executor = LoopExecutor.current, executor.index < loops.count, loops[executor.index].executor === executor {
      return executor.index < count ? executor.index : executor.index % count
    }
    return Int.random(in: 0..<count)
  }
}

/// Makes a database's connections, of each kind.
struct Connectors: Sendable {
  let reading: Connector
  let writing: Connector
  let slow: Connector

  init(_ configuration: DatabaseConfiguration) throws(PostgresError) {
    reading = try configuration.connector(readOnly: true)
    writing = try configuration.connector(readOnly: false)
    slow = try configuration.connector(readOnly: false, pace: .slow)
  }
}

/// A database's connections of one event loop. Confined to the loop.
final class DatabaseLoop: Sendable {
  let executor: LoopExecutor
  let reads: Pipeline
  let writes: Pipeline
  let transactions: LeasePool
  let slow: LeasePool

  init(
    on executor: LoopExecutor, _ configuration: DatabaseConfiguration, _ parts: (transactions: Int, slow: Int),
    _ connectors: Connectors, metrics: PostgresMetrics, logger: Logger
  ) {
    let statements = LoopStatements()
    func pipeline(_ policy: PipelinePolicy, _ connector: Connector) -> Pipeline {
      let settings = PipelineSettings(
        connector: connector, timeout: TimeAmount(configuration.timeout), queueLimit: configuration.queueLimit,
        logger: logger)
      return Pipeline(policy, on: executor, settings: settings, statements: statements, metrics: metrics)
    }
    self.executor = executor
    reads = pipeline(.reads, connectors.reading)
    writes = pipeline(.writes, connectors.writing)
    let timeout = TimeAmount(configuration.leaseTimeout)
    transactions = LeasePool(
      on: executor, size: parts.transactions, queueLimit: configuration.transactionQueueLimit, timeout: timeout,
      metrics: metrics
    ) { pipeline(.transaction, connectors.writing) }
    slow = LeasePool(
      on: executor, size: parts.slow, queueLimit: configuration.slowQueueLimit, timeout: timeout, metrics: metrics
    ) { pipeline(.transaction, connectors.slow) }
  }

  nonisolated(nonsending) func run<S: Statement>(
    _ call: StatementCall<S>, through pipeline: Pipeline
  ) async throws -> [S.Row] {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
        if executor.loop.inEventLoop {
          call.begin(continuation)
          pipeline.submit(call)
        } else {
          executor.loop.execute {
            call.begin(continuation)
            pipeline.submit(call)
          }
        }
      }
    } onCancel: {
      executor.loop.execute { call.fail(CancellationError()) }
    }
    return call.rows
  }

  func close() {
    reads.close()
    writes.close()
    transactions.close()
    slow.close()
  }
}

private struct Ping: Statement {
  static let sql = "select 1::int4"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Int32 { try row.next() }
}

private struct ServerVersion: SingleRowStatement {
  static let sql = "select current_setting('server_version')"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> String { try row.next() }
}
