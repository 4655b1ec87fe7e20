import CLibPQ

/// One execution of a statement and the task that waits for it.
///
/// Made by the caller's task, then confined to the event loop of the pipeline it is submitted to.
///
/// `@unchecked Sendable`: after `init` only the pipeline's loop touches it; the task's continuation and its cancellation hop there first.
class Call: @unchecked Sendable {
  /// Whether its task has been told the outcome, or that it was cancelled; what comes after is discarded.
  fileprivate(set) var isFinished = false
  /// Whether it went to the server, where it may take effect whatever happens here.
  var isSent = false
  /// The statement's number, known once it was sent.
  var statementIndex = 0
  /// Whether it may share a Sync, and so a commit, with its neighbours: idempotent and a single statement.
  let isGrouped: Bool
  /// Whether the next call goes out with it before a Sync: `begin` does.
  var joinsNext: Bool { false }

  init(isGrouped: Bool) { self.isGrouped = isGrouped }

  func handle(in statements: LoopStatements) -> StatementHandle { fatalError("a call without a statement") }
  func bind(_ parameters: inout Parameters) {}
  /// Keeps the rows of `result` for ``succeed()``.
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
  /// What was read, for the task to take once it is told that the call succeeded.
  private(set) var rows: [S.Row] = []
  /// The task that waits; a call without one reports to nobody. It is of no type of its own, which would have to be looked up for each call.
  private var continuation: UnsafeContinuation<Void, any Error>?

  init(_ statement: S, isGrouped: Bool = false) {
    self.statement = statement
    super.init(isGrouped: isGrouped)
  }

  /// Takes the task that waits; one that was cancelled before is told so now.
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
