import CLibPQ
import NIOCore
import Synchronization

/// How much of concurrent transactions a transaction sees (PostgreSQL manual, section 13.2).
public enum Isolation: Sendable {
  /// Each statement sees what was committed before it began.
  case readCommitted
  /// All statements see what was committed before the first one; a conflict is `40001`.
  case repeatableRead
  /// As if transactions ran one after the other; a conflict is `40001`.
  case serializable
}

/// Statements that take effect together or not at all; valid until the body that received it returns.
public struct Transaction: Sendable {
  private let lease: Lease

  init(_ lease: Lease) { self.lease = lease }

  /// Runs a statement and returns its rows.
  @discardableResult
  public func rows<S: Statement>(_ statement: S) async throws -> [S.Row] {
    try await lease.run(StatementCall(statement))
  }

  /// Runs two statements, one after the other but in one round trip, and returns the rows of both.
  ///
  /// When the first fails, the second does not run.
  public func rows<First: Statement, Second: Statement>(
    _ first: First, _ second: Second
  ) async throws -> ([First.Row], [Second.Row]) {
    let leading = LeadingCall(first)
    let second = try await lease.run(StatementCall(second), behind: [leading])
    if let failure = leading.failure { throw failure }
    return (leading.rows, second)
  }

  /// Runs three statements, one after the other but in one round trip, and returns the rows of all.
  ///
  /// When one fails, those after it do not run.
  public func rows<First: Statement, Second: Statement, Third: Statement>(
    _ first: First, _ second: Second, _ third: Third
  ) async throws -> ([First.Row], [Second.Row], [Third.Row]) {
    let (first, second) = (LeadingCall(first), LeadingCall(second))
    let third = try await lease.run(StatementCall(third), behind: [first, second])
    for failure in [first.failure, second.failure] { if let failure { throw failure } }
    return (first.rows, second.rows, third)
  }

  /// Runs statements of one type, one after the other but in few round trips, and returns the rows of each.
  ///
  /// For statements that do not depend on each other's results and cannot be one with arrays as its parameters. When
  /// one fails, those after it do not run.
  @discardableResult
  public func rows<S: Statement>(each statements: [S]) async throws -> [[S.Row]] {
    var rows: [[S.Row]] = []
    rows.reserveCapacity(statements.count)
    for start in stride(from: 0, to: statements.count, by: Self.statementsInRoundTrip) {
      let end = min(start + Self.statementsInRoundTrip, statements.count)
      let leading = statements[start..<end - 1].map { LeadingCall($0) }
      let last = try await lease.run(StatementCall(statements[end - 1]), behind: leading)
      for call in leading {
        if let failure = call.failure { throw failure }
        rows.append(call.rows)
      }
      rows.append(last)
    }
    return rows
  }

  /// Bounds what is in the buffers of both sides; fits into one Sync with `begin`.
  private static let statementsInRoundTrip = 100

  /// Runs a statement and returns its row.
  public func first<S: SingleRowStatement>(_ statement: S) async throws -> S.Row? {
    try await rows(statement).first
  }

  /// Runs a statement for its effect.
  public func execute<S: Statement>(_ statement: S) async throws {
    try await rows(statement)
  }

  /// Has a statement run before the next one, or before the commit, and in its round trip.
  ///
  /// Its failure is that of the next one, or of the transaction. At most 100 at a time.
  public func queue<S: Statement>(_ statement: S) {
    lease.queue(LeadingCall(statement))
  }

  /// As ``queue(_:)``; `act` receives the rows once the transaction has committed, as with ``afterCommit(_:)``.
  public func queue<S: Statement>(_ statement: S, afterCommit act: @escaping @Sendable ([S.Row]) -> Void) {
    let call = LeadingCall(statement)
    lease.queue(call)
    lease.afterCommit { act(call.rows) }
  }

  /// Runs `act` once the transaction has committed, in the order of these calls; never when it was rolled back.
  ///
  /// `act` must return at once. It does not run where the process or the connection fails around the commit, though the
  /// transaction may have taken effect: it is for hints, not for what must happen.
  public func afterCommit(_ act: @escaping @Sendable () -> Void) {
    lease.afterCommit(act)
  }
}

/// A connection during a transaction. Its state is confined to the pipeline's loop.
///
/// `@unchecked Sendable`: mutable state is touched on the pipeline's loop only; `hints` and `queued` have locks.
final class Lease: @unchecked Sendable {
  private enum State {
    /// Nothing was sent; becomes open with the first statement.
    case fresh
    /// The server has a transaction open, though a statement may have failed in it; becomes unopened, broken with its connection, or ended.
    case open
    /// The server refused to begin, so there is no transaction; statements must not reach the connection, where each
    /// would commit by itself.
    case unopened(PostgresError)
    /// The connection is lost, and the transaction with it; statements must not reach the next one.
    case broken(PostgresError)
    case ended
  }

  let pipeline: Pipeline
  private let isolation: Isolation?
  private var state = State.fresh
  /// Cancel requests that have not been delivered: until then they could hit the connection's next transaction.
  private var cancellations = 0
  private var onQuiet: (() -> Void)?
  private var isBroken = false
  private let hints = Mutex<[@Sendable () -> Void]>([])
  /// Sent before the next call.
  private let queued = Mutex<[Call]>([])

  /// - Parameter isolation: `nil` for a statement that is a transaction by itself.
  init(_ pipeline: Pipeline, _ isolation: Isolation?) {
    self.pipeline = pipeline
    self.isolation = isolation
  }

  func afterCommit(_ act: @escaping @Sendable () -> Void) {
    hints.withLock { $0.append(act) }
  }

  func queue(_ call: Call) {
    queued.withLock { $0.append(call) }
  }

  private func takeQueued() -> [Call] {
    queued.withLock { queued in
      defer { queued = [] }
      return queued
    }
  }

  /// Runs a call of the body. When the task is cancelled the server is asked to stop the statement, and its result is
  /// waited for.
  ///
  /// - Parameter leading: sent before it and answered with it; their failure is the call's.
  func run<S: Statement>(_ call: StatementCall<S>, behind leading: [Call] = []) async throws -> [S.Row] {
    let leading = takeQueued() + leading
    do {
      try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
          pipeline.executor.perform {
            call.begin(continuation)
            for call in leading { self.submit(call) }
            self.submit(call)
          }
        }
      } onCancel: {
        pipeline.executor.loop.execute { self.cancel(call) }
      }
      return call.rows
    } catch let error as PostgresError where error.sqlState == .queryCanceled && Task.isCancelled {
      throw CancellationError()
    }
  }

  private func submit(_ call: Call) {
    switch state {
    case .ended:
      return call.fail(PostgresError(kind: .parameter, sqlState: "25000", message: "the transaction has ended"))
    case .unopened(let error), .broken(let error): return call.fail(error)
    case .fresh:
      state = .open
      pipeline.onLoss = { [weak self] in self?.breaks($0) }
      if let isolation { pipeline.submit(begin(isolation)) }
      if case .unopened(let error) = state { return call.fail(error) }
    case .open: break
    }
    pipeline.submit(call)
  }

  private func begin(_ isolation: Isolation) -> Call {
    switch isolation {
    case .readCommitted: BeginCall(BeginReadCommitted(), for: self)
    case .repeatableRead: BeginCall(BeginRepeatableRead(), for: self)
    case .serializable: BeginCall(BeginSerializable(), for: self)
    }
  }

  private func breaks(_ error: PostgresError) {
    // A cancel request finds the lost connection's backend or none. Where the server hangs it would be waited for as
    // long.
    isBroken = true
    onQuiet?()
    if case .open = state { state = .broken(error) }
  }

  /// Called when `begin` failed; where the connection was lost, ``breaks(_:)`` was called before.
  fileprivate func isRefused(_ error: PostgresError) {
    if case .open = state { state = .unopened(error) }
  }

  private func cancel(_ call: Call) {
    guard call.isSent else { return call.fail(CancellationError()) }
    guard !call.isFinished, case .open = state, let cancellation = pipeline.cancellation() else { return }
    cancellations += 1
    let executor = pipeline.executor
    let delivered: @Sendable () -> Void = {
      executor.loop.execute {
        self.cancellations -= 1
        if self.cancellations == 0 { self.onQuiet?() }
      }
    }
    let started = BackgroundThread.start {
      cancellation.send()
      delivered()
    }
    if !started { delivered() }
  }

  /// Commits; when it throws an unavailable error the outcome is unknown, else the transaction was rolled back.
  func commit() async throws {
    let queued = takeQueued()
    do {
      try await end(CommitCall(Commit()), behind: queued)
    } catch let error as PostgresError where !queued.isEmpty && !error.isUnavailable {
      // Behind a statement that failed the server skips the commit, which leaves the transaction open.
      await rollback { try await send(StatementCall(Rollback())) }
      throw error
    }
    let hints = hints.withLock { hints in
      defer { hints = [] }
      return hints
    }
    for hint in hints { hint() }
  }

  /// Rolls back; where that fails the connection is closed, which rolls back too.
  func rollback() async { await rollback { try await end(StatementCall(Rollback())) } }

  private func rollback(by run: () async throws -> Void) async {
    do {
      try await run()
    } catch let error as PostgresError where error.isUnavailable {
      // The connection is lost, and the transaction with it.
    } catch {
      await giveUp("the transaction could not be rolled back: \(error)")
    }
  }

  private func send<S: Statement>(_ call: StatementCall<S>) async throws {
    try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
      pipeline.executor.perform {
        call.begin(continuation)
        self.pipeline.submit(call)
      }
    }
  }

  /// - Parameter leading: sent before it and answered with it; their failure is the call's.
  private func end<S: Statement>(_ call: StatementCall<S>, behind leading: [Call] = []) async throws {
    await quiet()
    try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
      pipeline.executor.perform {
        call.begin(continuation)
        for call in leading { self.submit(call) }
        let last = self.state
        self.state = .ended
        switch last {
        case .fresh, .ended: call.succeed()
        case .unopened(let error) where call is CommitCall:
          // The next transaction finds nothing of this one, whether or not its `begin` succeeded.
          self.pipeline.submit(StatementCall(Rollback()))
          call.fail(error)
        case .open, .unopened: self.pipeline.submit(call)
        case .broken(let error): call.fail(error)
        }
      }
    }
  }

  /// Waits until every cancel request was delivered.
  func quiet() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      pipeline.executor.perform {
        if self.cancellations == 0 || self.isBroken { return continuation.resume() }
        self.onQuiet = {
          self.onQuiet = nil
          continuation.resume()
        }
      }
    }
  }

  private func giveUp(_ reason: String) async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      pipeline.executor.perform {
        self.pipeline.renew(reason)
        continuation.resume()
      }
    }
  }
}

private struct BeginReadCommitted: Statement {
  typealias Row = Void
  static let sql = "begin isolation level read committed"
}

private struct BeginRepeatableRead: Statement {
  typealias Row = Void
  static let sql = "begin isolation level repeatable read"
}

private struct BeginSerializable: Statement {
  typealias Row = Void
  static let sql = "begin isolation level serializable"
}

private struct Commit: Statement {
  typealias Row = Void
  static let sql = "commit"
}

private struct Rollback: Statement {
  typealias Row = Void
  static let sql = "rollback"
}

/// Sent with the statement behind it, before one Sync; no task waits for it alone.
private final class LeadingCall<S: Statement>: StatementCall<S>, @unchecked Sendable {
  // Unchecked: written on the pipeline's loop, read once the statement behind it was answered.

  /// Why it was not sent, though the statement behind it was.
  private(set) var failure: (any Error)?

  override var joinsNext: Bool { true }

  override func fail(_ error: any Error) {
    failure = error
    super.fail(error)
  }
}

/// Sent with the statement behind it, before one Sync.
///
/// `@unchecked Sendable`: as the superclass; `lease` is set in `init` and read on the pipeline's loop.
private final class BeginCall<S: Statement>: StatementCall<S>, @unchecked Sendable {
  private weak var lease: Lease?

  init(_ statement: S, for lease: Lease) {
    self.lease = lease
    super.init(statement)
  }

  override var joinsNext: Bool { true }

  override func fail(_ error: any Error) {
    let reason = error as? PostgresError ?? .unavailable("the transaction did not begin")
    lease?.isRefused(reason)
    super.fail(error)
  }
}

/// Detects that the server answered a commit with a rollback, as it does where a statement had failed.
///
/// `@unchecked Sendable`: as the superclass; it adds no state.
private final class CommitCall: StatementCall<Commit>, @unchecked Sendable {
  override func decode(_ result: OpaquePointer, comparesTypes: Bool) throws {
    guard let tag = PQcmdStatus(result), String(cString: tag) == "COMMIT" else {
      throw PostgresError(
        sqlState: "25P02", message: "the transaction was rolled back, because a statement in it had failed")
    }
  }
}
