import DequeModule

/// When the calls of a pipeline are answered, and what happens to the neighbours of one that fails.
///
/// Everything between two Syncs is one implicit transaction: a failure undoes what came before it and skips what comes
/// after it.
enum PipelinePolicy: Sendable {
  /// Answered at once; skipped neighbours of a failure run again alone.
  case reads
  /// Answered when the Sync is, because only then they are durable; a group with a failure runs again, each call alone.
  case writes
  /// Answered when the Sync is; nothing runs again, because the transaction around it has failed. A call before a
  /// failure keeps its own result: a `begin` that succeeded has opened a transaction, which has to be rolled back.
  case transaction
}

/// A call and how often it has been sent.
struct Attempt<Subject> {
  let call: Subject
  let number: Int

  /// The most attempts: a statement can be found unprepared when a neighbour's failure undid its preparation.
  static var limit: Int { 4 }
}

/// The calls sent on a pipelined connection and not answered: a state machine without I/O that takes results and
/// returns decisions.
struct PipelineSlots<Subject> {
  /// A result from the server.
  enum Outcome {
    case success
    case failure(PostgresError)
    /// Skipped, because a statement before it and after the last Sync failed.
    case aborted
    case sync
  }

  /// What to do with a result.
  enum Decision {
    case nothing
    /// This statement is prepared on the connection.
    case prepared(Int)
    /// This statement is not prepared on the connection.
    case forget(Int)
    /// Decode the result and resume the caller.
    case answer(Subject)
    /// Decode the result; the caller is resumed after the Sync.
    case keep(Subject)
    case refuse(Subject, PostgresError)
    case settle(Settlement)
    /// The result matches nothing that was sent: the connection cannot be used further.
    case violation
  }

  /// What to do after a Sync's result.
  struct Settlement {
    var answered: [Subject] = []
    var refused: [(Subject, PostgresError)] = []
    var again: [Attempt<Subject>] = []
  }

  private enum Slot {
    case prepare(Int)
    case call(Attempt<Subject>, statement: Int)
    case sync
  }

  private let policy: PipelinePolicy
  private var slots = Deque<Slot>(minimumCapacity: 256)
  private var kept: [Attempt<Subject>] = []
  private var skipped: [Attempt<Subject>] = []
  private var refused: [(Subject, PostgresError)] = []
  private var failure: PostgresError?
  /// Whether the Sync itself failed, and with it everything before it.
  private var isSyncRefused = false
  /// The failure of a preparation belongs to the call that it was made for, which follows.
  private var preparationFailure: PostgresError?
  /// Syncs that were sent and not answered.
  private(set) var syncs = 0
  /// Calls that were sent and not answered.
  private(set) var calls = 0

  init(_ policy: PipelinePolicy) { self.policy = policy }

  var isEmpty: Bool { slots.isEmpty }
  /// Whether the next result belongs to a Sync.
  var awaitsSync: Bool { if case .sync = slots.first { true } else { false } }

  mutating func sentPrepare(_ statement: Int) { slots.append(.prepare(statement)) }

  mutating func sentCall(_ attempt: Attempt<Subject>, statement: Int) {
    slots.append(.call(attempt, statement: statement))
    calls += 1
  }

  mutating func sentSync() {
    slots.append(.sync)
    syncs += 1
  }

  mutating func receive(_ outcome: Outcome) -> Decision {
    switch (slots.first, outcome) {
    case (.none, _): return .violation
    case (.sync, .sync):
      slots.removeFirst()
      return .settle(settle())
    case (.sync, .failure(let error)):
      // The commit itself failed, at a deferred constraint for example; the Sync's result still follows.
      failure = failure ?? error
      isSyncRefused = true
      return .nothing
    case (.sync, _), (_, .sync): return .violation
    case (.prepare(let statement), _):
      slots.removeFirst()
      return preparation(of: statement, outcome)
    case (.call(let attempt, let statement), _):
      slots.removeFirst()
      calls -= 1
      return execution(attempt, of: statement, outcome)
    }
  }

  private mutating func preparation(of statement: Int, _ outcome: Outcome) -> Decision {
    switch outcome {
    case .success: return .prepared(statement)
    case .failure(let error) where error.sqlState == .duplicatePreparedStatement:
      failure = failure ?? error
      return .prepared(statement)
    case .failure(let error):
      failure = failure ?? error
      preparationFailure = error
      return .forget(statement)
    case .aborted, .sync: return .forget(statement)
    }
  }

  private mutating func execution(_ attempt: Attempt<Subject>, of statement: Int, _ outcome: Outcome) -> Decision {
    let preparationFailure = preparationFailure
    self.preparationFailure = nil
    switch outcome {
    case .success:
      if policy == .reads { return .answer(attempt.call) }
      kept.append(attempt)
      return .keep(attempt.call)
    case .failure(let error):
      failure = failure ?? error
      if error.sqlState == .unknownPreparedStatement, policy != .transaction, attempt.number < Attempt<Subject>.limit {
        skipped.append(attempt)
        return .forget(statement)
      }
      return refuse(attempt, error)
    case .aborted, .sync:
      if let preparationFailure { return refuse(attempt, preparationFailure) }
      skipped.append(attempt)
      return .nothing
    }
  }

  private mutating func refuse(_ attempt: Attempt<Subject>, _ error: PostgresError) -> Decision {
    if policy == .reads { return .refuse(attempt.call, error) }
    refused.append((attempt.call, error))
    return .nothing
  }

  private mutating func settle() -> Settlement {
    syncs -= 1
    defer {
      kept.removeAll(keepingCapacity: true)
      skipped.removeAll(keepingCapacity: true)
      refused.removeAll(keepingCapacity: true)
      failure = nil
      isSyncRefused = false
      preparationFailure = nil
    }
    var settlement = Settlement()
    guard let failure else {
      settlement.answered = kept.map(\.call)
      return settlement
    }
    let size = kept.count + skipped.count + refused.count
    switch policy {
    case .reads:
      settlement.again = skipped.map(Self.next)
    case .writes where size > 1 || (kept.isEmpty && refused.isEmpty):
      // Run alone, each gets its own failure.
      settlement.again =
        (kept + refused.map { Attempt(call: $0.0, number: 1) } + skipped).map(Self.next)
    case .transaction where !isSyncRefused:
      settlement.answered = kept.map(\.call)
      settlement.refused = refused + skipped.map { ($0.call, failure) }
    case .writes, .transaction:
      settlement.refused = refused + (kept + skipped).map { ($0.call, failure) }
    }
    return settlement
  }

  private static func next(_ attempt: Attempt<Subject>) -> Attempt<Subject> {
    Attempt(call: attempt.call, number: attempt.number + 1)
  }

  /// Removes everything, after the connection was lost; returns the calls to fail.
  mutating func removeAll() -> [Subject] {
    var calls = (kept + skipped).map(\.call) + refused.map(\.0)
    for case .call(let attempt, _) in slots { calls.append(attempt.call) }
    self = PipelineSlots(policy)
    return calls
  }
}
