import Logging
import LoopExecutor
import NIOCore
public import ServiceLifecycle

/// A PostgreSQL database, asked from event loops without blocking them.
///
/// Each loop has a pipeline for reads, one for writes and a few connections for transactions, all made at first use. A lost connection
/// comes back by itself; while it is away calls fail with ``PostgresError/isUnavailable``, and then **the outcome of a write is unknown**.
/// Close it, or have a service group ``run()`` it: its connections would stay otherwise.
///
/// A call whose task is cancelled throws `CancellationError` at once; if its statement was sent already, it may still take effect.
public final class Database: Service, Sendable {
  private let loops: [DatabaseLoop]
  let metrics: PostgresMetrics
  private let logger: Logger

  /// Describes a database; nothing is connected yet.
  ///
  /// - Parameter loops: the executors whose tasks will call it; calls from elsewhere are spread over them.
  /// - Throws: ``PostgresError`` of kind `parameter` when the URL cannot be read; its message does not show the URL.
  public init(_ configuration: DatabaseConfiguration, loops: [LoopExecutor], logger: Logger) throws(PostgresError) {
    precondition(!loops.isEmpty, "a database needs an event loop")
    let metrics = PostgresMetrics(database: configuration.applicationName)
    self.metrics = metrics
    let reading = try configuration.connector(readOnly: true)
    let writing = try configuration.connector(readOnly: false)
    self.logger = logger
    self.loops = loops.map {
      DatabaseLoop(on: $0, configuration, reading: reading, writing: writing, metrics: metrics, logger: logger)
    }
  }

  /// The rows of a statement that changes nothing, through the read pipeline of the caller's loop.
  ///
  /// A statement that writes is refused by the server (`25006`): reads are answered before their burst commits.
  public nonisolated(nonsending) func rows<S: Statement>(_ statement: S) async throws -> [S.Row] {
    let loop = current
    return try await loop.run(StatementCall(statement), through: loop.reads)
  }

  /// The first row of a statement that changes nothing; see ``rows(_:)``.
  public nonisolated(nonsending) func first<S: Statement>(_ statement: S) async throws -> S.Row? {
    try await rows(statement).first
  }

  /// Runs a single statement as a transaction of its own; it is durable when this returns.
  @discardableResult
  public nonisolated(nonsending) func write<S: Statement>(_ statement: S) async throws -> [S.Row] {
    let loop = current
    return try await loop.run(StatementCall(statement), through: loop.writes)
  }

  /// Runs a single statement that shares its commit with others that wait at the same time; it is durable when this returns.
  ///
  /// The statement must be idempotent: when a neighbour fails all run again, each alone, and a failure is only its own caller's.
  /// Statements of a group must not lock the same rows in different orders as transactions elsewhere do.
  public nonisolated(nonsending) func groupedWrite<S: Statement>(_ statement: S) async throws {
    let loop = current
    _ = try await loop.run(StatementCall(statement, isGrouped: true), through: loop.writes)
  }

  /// Runs `body` in a transaction: commits when it returns, rolls back when it throws. It is never run twice.
  ///
  /// - Throws: what `body` throws; ``PostgresError/isOverloaded`` when no connection became free in time.
  public nonisolated(nonsending) func transaction<R>(
    isolation: Isolation = .readCommitted, _ body: nonisolated(nonsending) (Transaction) async throws -> R
  ) async throws -> R {
    let pool = current.transactions
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

  /// Returns when the database answers; throws an unavailable error when it does not.
  public func ping() async throws {
    _ = try await rows(Ping())
  }

  /// The server's version, `15.18` for example.
  public func serverVersion() async throws -> String {
    try await first(ServerVersion()) ?? ""
  }

  /// Connects and stays until the service group shuts down or the task is cancelled; then closes.
  public func run() async throws {
    for loop in loops { loop.executor.perform { loop.reads.open() } }
    do {
      try await gracefulShutdown()
    } catch is CancellationError {
      // Being cancelled is the other way of being told to stop.
    }
    await close()
  }

  /// Closes all connections; calls that wait, and those that come, get an unavailable error.
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

  /// The caller's loop, or one of the loops in turn.
  private var current: DatabaseLoop {
    if let executor = LoopExecutor.current, executor.index < loops.count,
      loops[executor.index].executor === executor
    {
      return loops[executor.index]
    }
    return loops[Int.random(in: 0..<loops.count)]
  }
}

/// What a database keeps for one event loop. Confined to the loop.
final class DatabaseLoop: Sendable {
  let executor: LoopExecutor
  let reads: Pipeline
  let writes: Pipeline
  let transactions: LeasePool

  init(
    on executor: LoopExecutor, _ configuration: DatabaseConfiguration, reading: Connector, writing: Connector,
    metrics: PostgresMetrics, logger: Logger
  ) {
    let statements = LoopStatements()
    func pipeline(_ policy: PipelinePolicy, _ connector: Connector) -> Pipeline {
      let settings = PipelineSettings(
        connector: connector, patience: TimeAmount(configuration.patience), queueLimit: configuration.queueLimit,
        logger: logger)
      return Pipeline(policy, on: executor, settings: settings, statements: statements, metrics: metrics)
    }
    self.executor = executor
    reads = pipeline(.reads, reading)
    writes = pipeline(.writes, writing)
    transactions = LeasePool(on: executor, configuration, metrics: metrics) { pipeline(.transaction, writing) }
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
  }
}

private struct Ping: Statement {
  static let sql = "select 1::int4"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Int32 { try row.next() }
}

private struct ServerVersion: Statement {
  static let sql = "select current_setting('server_version')"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> String { try row.next() }
}
