import CLibPQ

/// One execution of a statement and the task that waits for it.
///
/// Made by the caller's task, then confined to the event loop of the pipeline it is submitted to.
///
/// `@unchecked Sendable`: after `init` only the pipeline's loop touches it; the task's continuation and its cancellation hop there first.
class Call: @unchecked Sendable {
  /// Whether its task has the result, or was cancelled; later results are discarded.
  fileprivate(set) var isFinished = false
  /// Whether it was sent to the server, where it may take effect even if the task was cancelled.
  var isSent = false
  /// The statement's number, known once it was sent.
  var statementIndex = 0
  /// Whether it may share a Sync, and so a commit, with its neighbours: idempotent and a single statement.
  let isGrouped: Bool
  /// Whether the next call is sent with it before one Sync, as after `begin`.
  var joinsNext: Bool { false }

  init(isGrouped: Bool) { self.isGrouped = isGrouped }

  func handle(in statements: LoopStatements) -> StatementHandle { fatalError("a call without a statement") }
  func bind(_ parameters: inout Parameters) {}
  /// Stores the rows of `result` for ``succeed()``.
  func decode(_ result: OpaquePointer, comparesTypes: Bool) throws {}
  /// Resumes the task, which takes the decoded rows.
  func succeed() { isFinished = true }
  /// Resumes the task with `error`.
  func fail(_ error: any Error) { isFinished = true }
}

/// A call of a statement of type `S`.
///
/// `@unchecked Sendable`: as the superclass. The statement never changes; `rows` are read by the task only once the loop, which is done with
/// them then, has resumed it.
class StatementCall<S: Statement>: Call, @unchecked Sendable {
  private let statement: S
  /// The rows for the task, which takes them once the call has succeeded.
  private(set) var rows: [S.Row] = []
  /// The waiting task; a call without one reports its result nowhere. Without a result type, which would have to be
  /// looked up at run time for each call.
  private var continuation: UnsafeContinuation<Void, any Error>?

  init(_ statement: S, isGrouped: Bool = false) {
    self.statement = statement
    super.init(isGrouped: isGrouped)
  }

  /// Sets the waiting task; one that was cancelled before fails at once.
  func begin(_ continuation: UnsafeContinuation<Void, any Error>) {
    if isFinished { return continuation.resume(throwing: CancellationError()) }
    self.continuation = continuation
  }

  override func handle(in statements: LoopStatements) -> StatementHandle { statements.handle(S.self) }

  override func bind(_ parameters: inout Parameters) { statement.bind(&parameters) }

  override func decode(_ result: OpaquePointer, comparesTypes: Bool) throws {
    if isFinished { return }
    let count = PQntuples(result)
    rows.reserveCapacity(Int(count))
    var cursor: Int32 = 0
    try withUnsafeMutablePointer(to: &cursor) { cursor in
      for row in 0..<count {
        cursor.pointee = 0
        let reader = RowReader(result: result, row: row, comparesTypes: comparesTypes && row == 0, cursor: cursor)
        rows.append(try S.decode(reader))
      }
    }
  }

  override func succeed() {
    if isFinished { return }
    isFinished = true
    continuation?.resume()
    continuation = nil
  }

  override func fail(_ error: any Error) {
    if isFinished { return }
    isFinished = true
    continuation?.resume(throwing: error)
    continuation = nil
  }
}
