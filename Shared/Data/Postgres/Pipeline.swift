import Backoff
import CLibPQ
import DequeModule
import Logging
import LoopExecutor
import NIOCore

/// One pipelined connection with its queue; it connects when first used and again whenever the connection is lost.
///
/// Confined to the event loop of its executor.
///
/// `@unchecked Sendable`: everything but `init` runs on the executor's loop.
final class Pipeline: FlushTarget, SocketPollerTarget, @unchecked Sendable {
  enum Link {
    case idle
    /// Becomes up, or waits and tries again; `since` is when callers began to wait.
    case down(since: NIODeadline)
    case up(Connection)
    case closed
  }

  /// The most statements per Sync: with more, responses only come later, and no faster.
  private static let burstLimit = 128
  /// Statements that are worth a Sync of their own, which costs both sides a system call.
  private static let minBurst = 16
  /// Syncs in flight: with one the server idles between bursts; with more, bursts fall apart into trickles.
  private static let burstsInFlight = 2
  /// Syncs in flight where each holds one statement.
  private static let singlesInFlight = 16

  let executor: LoopExecutor
  let policy: PipelinePolicy
  let settings: PipelineSettings
  private let statements: LoopStatements
  let metrics: PostgresMetrics

  var link = Link.idle
  var backoff = Backoff.reconnecting
  var lastFailure: PostgresError?
  var waiting = Deque<Call>()
  var again = Deque<Attempt<Call>>()
  var slots: PipelineSlots<Call>
  private var isFlushScheduled = false
  var silence = Silence()
  /// Called when the connection is lost, or the calls that waited for it have failed: a transaction ends with its
  /// connection.
  var onLoss: ((PostgresError) -> Void)?

  init(
    _ policy: PipelinePolicy, on executor: LoopExecutor, settings: PipelineSettings, statements: LoopStatements,
    metrics: PostgresMetrics
  ) {
    self.policy = policy
    self.executor = executor
    self.settings = settings
    self.statements = statements
    self.metrics = metrics
    slots = PipelineSlots(policy)
  }

  /// Queues `call`; it is sent at the end of the loop's burst.
  func submit(_ call: Call) {
    if call.isFinished { return }
    switch link {
    case .closed:
      return call.fail(PostgresError.unavailable("the database was closed"))
    case .idle: open()
    case .down(let since):
      if let lastFailure, isOverdue(since) { return call.fail(lastFailure) }
    case .up: break
    }
    if waiting.count + again.count + slots.calls >= settings.queueLimit {
      metrics.overloads.increment()
      return call.fail(PostgresError.overloaded("\(settings.queueLimit) statements wait already"))
    }
    waiting.append(call)
    scheduleFlush()
  }

  func scheduleFlush() {
    guard case .up = link, !isFlushScheduled else { return }
    isFlushScheduled = true
    executor.flushAfterBurst(self)
  }

  func flush() {
    isFlushScheduled = false
    guard case .up(let connection) = link else { return }
    var sent = 0
    // Also where the connection is lost: the calls sent on it are subtracted there.
    defer {
      if sent > 0 {
        metrics.statements.increment(by: sent)
        metrics.inFlight.increment(by: Double(sent))
      }
    }
    while let burst = nextBurst() {
      var isSent = false
      // What is not sent, with the statements that were to run behind it.
      var refusal: PostgresError?
      for (place, attempt) in burst.enumerated() {
        if let refusal {
          attempt.call.fail(refusal)
          continue
        }
        let handle = attempt.call.handle(in: statements)
        switch connection.send(attempt.call, handle) {
        case .sent(let prepared):
          if prepared { slots.sentPrepare(handle.index) }
          slots.sentCall(attempt, statement: handle.index)
          attempt.call.isSent = true
          attempt.call.statementIndex = handle.index
          isSent = true
          sent += 1
        case .refused(let error):
          attempt.call.fail(error)
          if attempt.call.joinsNext { refusal = error }
        case .lost:
          again.append(contentsOf: burst[place...])
          return lost(connection.failureMessage)
        }
      }
      if isSent {
        slots.sentSync()
        if !silence.isWatched { watchSilence() }
        guard connection.sendSync() else { return lost(connection.failureMessage) }
      }
    }
    if !connection.flush() { lost(connection.failureMessage) }
  }

  /// The calls to send before the next Sync; `nil` when none wait or enough are in flight.
  private func nextBurst() -> [Attempt<Call>]? {
    while let first = again.first, first.call.isFinished { again.removeFirst() }
    if let attempt = again.first {
      guard slots.syncs < Self.burstsInFlight else { return nil }
      again.removeFirst()
      return [attempt]
    }
    while let first = waiting.first, first.isFinished { waiting.removeFirst() }
    guard let first = waiting.first else { return nil }
    let isShared = policy == .reads || (policy == .writes && first.isGrouped)
    guard slots.syncs < (isShared ? Self.burstsInFlight : Self.singlesInFlight) else { return nil }
    let limit = nextLimit
    var burst: [Attempt<Call>] = []
    burst.reserveCapacity(min(waiting.count, limit))
    while burst.count < limit, let call = waiting.first {
      let joins = isShared && call.isGrouped || policy == .reads || burst.isEmpty || burst.last?.call.joinsNext == true
      guard joins else { break }
      waiting.removeFirst()
      if !call.isFinished { burst.append(Attempt(call: call, number: 1)) }
    }
    return burst
  }

  /// How many statements the next Sync may cover.
  ///
  /// While the server is idle, half of the reads that wait: it then works on the other half while this side processes
  /// the responses to the first, and their callers make their next calls. In one burst they would all wait for each
  /// other. Writes wait for the disk, which two small groups would do twice.
  private var nextLimit: Int {
    guard policy == .reads, slots.syncs == 0, waiting.count >= 2 * Self.minBurst else { return Self.burstLimit }
    return min((waiting.count + 1) / 2, Self.burstLimit)
  }

  func ready() {
    guard case .up(let connection) = link else { return }
    executor.beginBurst()
    defer { executor.endBurst() }
    let isAlive = connection.consume()
    let inFlight = slots.calls
    while !slots.isEmpty, let result = connection.nextResult() {
      defer { PQclear(result) }
      silence.results &+= 1
      if let reason = receive(result, from: connection) {
        metrics.inFlight.decrement(by: Double(inFlight - slots.calls))
        return lost(reason.message, reason.sqlState)
      }
    }
    if slots.calls < inFlight { metrics.inFlight.decrement(by: Double(inFlight - slots.calls)) }
    guard isAlive else { return lost(connection.failureMessage) }
    if !waiting.isEmpty || !again.isEmpty { scheduleFlush() }
    if !connection.flush() { lost(connection.failureMessage) }
  }

  /// Handles one result; returns why the connection cannot be used further.
  private func receive(_ result: OpaquePointer, from connection: Connection) -> PostgresError? {
    let outcome: PipelineSlots<Call>.Outcome
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: outcome = .success
    case PGRES_PIPELINE_ABORTED: outcome = .aborted
    case PGRES_PIPELINE_SYNC: outcome = .sync
    case PGRES_FATAL_ERROR:
      let error = PostgresError(result: result)
      if error.isUnavailable { return error }
      metrics.errors.increment()
      if error.sqlState == .diskFull { metrics.fullDisk.note() }
      outcome = .failure(error)
    default: return .unavailable("the server began a COPY, which a pipeline cannot carry")
    }
    switch slots.receive(outcome) {
    case .nothing, .prepared: break
    case .forget(let statement): connection.forget(statement)
    case .answer(let call): if decode(result, for: call, connection) { call.succeed() }
    case .keep(let call): _ = decode(result, for: call, connection)
    case .refuse(let call, let error): call.fail(error)
    case .settle(let settlement):
      for call in settlement.answered { call.succeed() }
      for (call, error) in settlement.refused { call.fail(error) }
      again.append(contentsOf: settlement.again)
    case .violation: return .unavailable("the server answered out of turn")
    }
    return nil
  }

  private func decode(_ result: OpaquePointer, for call: Call, _ connection: Connection) -> Bool {
    let comparesTypes = PQntuples(result) > 0 && connection.comparesTypes(of: call.statementIndex)
    do {
      try call.decode(result, comparesTypes: comparesTypes)
      return true
    } catch let error as PostgresError {
      call.fail(error)
    } catch {
      call.fail(PostgresError(kind: .column, sqlState: "42804", message: "\(error)"))
    }
    return false
  }
}
