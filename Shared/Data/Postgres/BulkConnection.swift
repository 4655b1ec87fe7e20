import CLibPQ
import Glibc
public import LoopExecutor
import NIOCore

/// A connection for loading many rows (`COPY`), with one command at a time and without blocking.
///
/// Its statements are built at run time and have no time limit: it is for operators' commands, not for a service's
/// normal operation.
///
/// `@unchecked Sendable`: `token` is written once, by `with`, before the first step: until then the poller's thread
/// has not been armed, so nothing else reads it, and handing the first step to the loop orders the write before every
/// later read. All other variables, and libpq's connection, are touched on the executor's loop only: by `perform` and
/// `close` through the executor, by a cancellation through the loop, and by `ready`, which the poller's thread runs
/// there. The connection is freed in `lose` alone, which leaves `.over` behind; a late `ready` or cancellation finds
/// that state and touches nothing.
public final class BulkConnection: SocketPollerTarget, @unchecked Sendable {
  private enum Step {
    case idle
    /// A command was sent; becomes idle with its last result.
    case command(UnsafeContinuation<[[String?]], any Error>)
    /// Bytes of a COPY are being sent; becomes idle when the socket has taken them.
    case sending(UnsafeContinuation<[[String?]], any Error>)
    /// The connection was lost, or closed by its owner.
    case over(any Error)
  }

  private let executor: LoopExecutor
  private let raw: OpaquePointer
  private let descriptor: Int32
  /// Set once, before the connection is used.
  private var token: UInt64 = 0
  private var step = Step.idle
  private var rows: [[String?]] = []
  private var failure: PostgresError?

  /// Bytes of a COPY that are passed to libpq at a time: it buffers what it has not sent yet.
  private static let chunk = 256 * 1024

  private init(_ new: NewConnection, on executor: LoopExecutor) {
    raw = new.raw
    descriptor = PQsocket(new.raw)
    self.executor = executor
  }

  /// Runs `body` with a connection to the database of `configuration`, and closes it.
  ///
  /// - Throws: what `body` throws; an unavailable ``PostgresError`` when there is no connection.
  @discardableResult
  public static func with<R>(
    _ configuration: DatabaseConfiguration, on executor: LoopExecutor, _ body: (BulkConnection) async throws -> R
  ) async throws -> R {
    var unlimited = configuration
    unlimited.slowStatementTimeout = .zero
    unlimited.idleInTransactionTimeout = .zero
    let connector = try unlimited.connector(readOnly: false, pace: .slow)
    let new = try await BackgroundThread.run { try connector.connect() }
    PQsetnonblocking(new.raw, 1)
    let connection = BulkConnection(new, on: executor)
    connection.token = SocketPoller.shared.add(connection, descriptor: connection.descriptor, on: executor)
    let outcome: Result<R, any Error>
    do { outcome = .success(try await body(connection)) } catch { outcome = .failure(error) }
    await connection.close()
    return try outcome.get()
  }

  /// Runs one or more statements; returns the last one's rows as texts.
  ///
  /// Cancelling the task closes the connection, and loses what was not committed.
  @discardableResult
  public func run(_ sql: String) async throws -> [[String?]] {
    try await perform { continuation in
      guard PQsendQuery(self.raw, sql) == 1 else { return self.lose(self.lost) }
      self.step = .command(continuation)
      self.flush()
    }
  }

  /// Runs a `copy … from stdin` with `rows`, in the format that the statement names.
  public func copy(_ sql: String, _ rows: [UInt8]) async throws {
    try await run(sql)
    for start in stride(from: 0, to: rows.count, by: Self.chunk) {
      try await send(rows[start..<min(start + Self.chunk, rows.count)])
    }
    try await perform { continuation in
      self.step = .command(continuation)
      guard PQputCopyEnd(self.raw, nil) == 1 else { return self.lose(self.lost) }
      self.flush()
      // The refusal of a row may have been read while the rows were sent: the socket reports nothing more then.
      self.takeResults()
    }
  }

  private func send(_ bytes: ArraySlice<UInt8>) async throws {
    try await perform { continuation in
      let sent = bytes.withUnsafeBytes { bytes in
        PQputCopyData(self.raw, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
      }
      self.step = .sending(continuation)
      // Zero: libpq had no memory to buffer the bytes.
      guard sent == 1 else { return self.lose(self.lost) }
      self.flush()
    }
  }

  /// Runs `begin` as the next step on the loop, and waits for its end.
  @discardableResult
  private func perform(
    _ begin: @escaping @Sendable (UnsafeContinuation<[[String?]], any Error>) -> Void
  ) async throws -> [[String?]] {
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return try await withUnsafeThrowingContinuation { continuation in
        executor.perform {
          switch self.step {
          case .idle: begin(continuation)
          case .over(let error): continuation.resume(throwing: error)
          case .command, .sending: preconditionFailure("a connection is asked one thing at a time")
          }
        }
      }
    } onCancel: {
      executor.loop.execute { self.lose(CancellationError()) }
    }
  }

  /// Called when the socket can be read or written, or has failed.
  func ready() {
    if case .over = step { return }
    guard PQconsumeInput(raw) == 1 else { return lose(lost) }
    flush()
    takeResults()
  }

  /// Takes the results that have been received.
  private func takeResults() {
    while case .command(let continuation) = step, PQisBusy(raw) == 0 {
      guard let result = PQgetResult(raw) else { return finish(continuation) }
      let isCopy = take(result)
      PQclear(result)
      if isCopy { return finish(continuation) }
    }
  }

  /// Stores the rows or the error of a result; true when the server waits for the rows of a COPY.
  private func take(_ result: OpaquePointer) -> Bool {
    switch PQresultStatus(result) {
    case PGRES_COPY_IN: return true
    case PGRES_TUPLES_OK: rows = Self.texts(of: result)
    case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: rows = []
    default: if failure == nil { failure = PostgresError(result: result) }
    }
    return false
  }

  private static func texts(of result: OpaquePointer) -> [[String?]] {
    (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }

  private func finish(_ continuation: UnsafeContinuation<[[String?]], any Error>) {
    let outcome: Result<[[String?]], any Error> = failure.map { .failure($0) } ?? .success(rows)
    (step, rows, failure) = (.idle, [], nil)
    continuation.resume(with: outcome)
  }

  /// Writes what the socket takes and waits for it to be readable or writable.
  private func flush() {
    let pending = PQflush(raw)
    guard pending >= 0, PQsocket(raw) == descriptor else { return lose(lost) }
    if pending == 0, case .sending(let continuation) = step { return finish(continuation) }
    if case .idle = step { return }
    SocketPoller.shared.arm(token, descriptor: descriptor, forWriting: pending == 1)
  }

  private var lost: PostgresError {
    let message = String(cString: PQerrorMessage(raw)).split(whereSeparator: \.isNewline).joined(separator: " ")
    return .unavailable("the connection was lost: \(message)")
  }

  /// Closes the connection; the waiting task gets the error.
  private func lose(_ error: any Error) {
    let last = step
    if case .over = last { return }
    step = .over(error)
    SocketPoller.shared.remove(token, descriptor: descriptor)
    PQfinish(raw)
    switch last {
    case .command(let continuation), .sending(let continuation): continuation.resume(throwing: error)
    case .idle, .over: break
    }
  }

  private func close() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      executor.perform {
        self.lose(PostgresError.unavailable("the connection was closed"))
        continuation.resume()
      }
    }
  }
}
