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
    let wanted = wanted
    self.loops = loops.enumerated().map { place, loop in
      DatabaseLoop(
        on: loop, configuration, sizes.parts(at: place, loops: loops.count, wanting: wanted), connectors,
        metrics: metrics, logger: logger)
    }
    let used = sizes.used(of: loops.count, wanting: wanted)
    pipelinedLoops = Atomic(sizes.pipelined)
    transactionLoops = Atomic(used.transactions)
    slowLoops = Atomic(used.slow)
  }

  /// Sets the sizes of the pools, none of them smaller than before.
  func resize(to sizes: PoolSizes) {
    for (place, loop) in loops.enumerated() {
      let parts = sizes.parts(at: place, loops: loops.count, wanting: wanted)
      loop.executor.perform {
        loop.transactions.resize(to: parts.transactions)
        loop.slow.resize(to: parts.slow)
      }
    }
    // Stored after the loops' own resizing was queued: a call that is sent to a pool from now on finds it with its new
    // size.
    pipelinedLoops.store(sizes.pipelined, ordering: .releasing)
    let used = sizes.used(of: loops.count, wanting: wanted)
    transactionLoops.store(used.transactions, ordering: .releasing)
    slowLoops.store(used.slow, ordering: .releasing)
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
    return try await writeShared(statement, isGrouped: false)
  }

  /// Runs a write on the pipeline that all share, or on a connection of its own where it would hold up the others.
  private nonisolated(nonsending) func writeShared<S: Statement>(
    _ statement: S, isGrouped: Bool
  ) async throws -> [S.Row] {
    let loop = loops[place(among: pipelinedLoops)]
    let owner = WorkOwner.current
    guard loop.ownWrites.begin(owner) else { return try await runAlone(statement, .quick) }
    do {
      let rows = try await loop.run(StatementCall(statement, isGrouped: isGrouped), through: loop.writes)
      loop.ownWrites.end(owner)
      return rows
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      // It has changed nothing. The next attempt waits for the lock where it keeps no others from writing.
      loop.ownWrites.endWaiting(owner)
      return try await runAlone(statement, .quick)
    } catch {
      loop.ownWrites.end(owner)
      throw error
    }
  }

  /// Runs a single statement that shares its commit with others that wait at the same time; it is durable when this returns.
  ///
  /// The statement must be idempotent: when a neighbour fails all run again, each alone, and each caller gets only its
  /// own failure. Statements of a group must not lock the same rows in a different order than transactions elsewhere
  /// do.
  public nonisolated(nonsending) func groupedWrite<S: Statement>(_ statement: S) async throws {
    try Violations.requireNoneDecoded()
    _ = try await writeShared(statement, isGrouped: true)
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
    let (pool, owner) = (pool(for: pace), WorkOwner.current)
    let pipeline = try await pool.lease(for: owner)
    let lease = Lease(pipeline, isolation)
    defer { pipeline.executor.perform { pool.giveBack(pipeline, from: owner) } }
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
  private nonisolated(nonsending) func runAlone<S: Statement>(
    _ statement: S, _ pace: Pace = .slow
  ) async throws -> [S.Row] {
    let (pool, owner) = (pool(for: pace), WorkOwner.current)
    let pipeline = try await pool.lease(for: owner)
    let lease = Lease(pipeline, nil)
    defer { pipeline.executor.perform { pool.giveBack(pipeline, from: owner) } }
    let outcome: Result<[S.Row], any Error>
    do { outcome = .success(try await lease.run(StatementCall(statement))) } catch { outcome = .failure(error) }
    await lease.quiet()
    return try outcome.get()
  }

  /// Whether a statement has failed in the last seconds because the server's disk is full.
  public var hasFullDisk: Bool { metrics.fullDisk.isRecent }

  /// Whether the server is a standby, which takes no changes.
  public func isStandby() async throws -> Bool { try await first(IsStandby()) ?? false }

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
  /// For writes that share a connection: none waits for a lock for long.
  let writing: Connector
  let transactions: Connector
  let slow: Connector

  init(_ configuration: DatabaseConfiguration) throws(PostgresError) {
    reading = try configuration.connector(readOnly: true)
    writing = try configuration.connector(readOnly: false, waitsForLocks: false)
    transactions = try configuration.connector(readOnly: false)
    slow = try configuration.connector(readOnly: false, pace: .slow)
  }
}

/// A database's connections of one event loop. Confined to the loop.
final class DatabaseLoop: Sendable {
  let executor: LoopExecutor
  let reads: Pipeline
  let writes: Pipeline
  let ownWrites = OwnWrites()
  let transactions: LeasePool
  let slow: LeasePool

  init(
    on executor: LoopExecutor, _ configuration: DatabaseConfiguration, _ parts: (transactions: Int, slow: Int),
    _ connectors: Connectors, metrics: PostgresMetrics, logger: Logger
  ) {
    let statements = LoopStatements()
    func pipeline(_ policy: PipelinePolicy, _ connector: Connector, pace: Pace = .quick) -> Pipeline {
      let settings = PipelineSettings(
        connector: connector, silenceLimit: configuration.silenceLimit(pace),
        timeout: TimeAmount(configuration.timeout), queueLimit: configuration.queueLimit,
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
    ) { pipeline(.transaction, connectors.transactions) }
    slow = LeasePool(
      on: executor, size: parts.slow, queueLimit: configuration.slowQueueLimit, timeout: timeout, metrics: metrics
    ) { pipeline(.transaction, connectors.slow, pace: .slow) }
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

private struct IsStandby: SingleRowStatement {
  static let sql = "select pg_catalog.pg_is_in_recovery()"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Bool { try row.next() }
}

private struct ServerVersion: SingleRowStatement {
  static let sql = "select current_setting('server_version')"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> String { try row.next() }
}
