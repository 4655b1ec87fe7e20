public import Postgres
public import TTRPC
public import TTRPCClient
import Testing

/// Runs `call` so many times concurrently, the callers spread over `clients`, and returns the outcomes, in no order.
///
/// The clients are closed afterwards.
public func race<R: Sendable>(
  _ callers: Int, over clients: [RPCClient], _ call: @escaping @Sendable (RPCClient, Int) async throws -> R
) async -> [Result<R, any Error>] {
  let results = await withTaskGroup(of: Result<R, any Error>.self) { group in
    for caller in 0..<callers {
      group.addTask {
        do { return .success(try await call(clients[caller % clients.count], caller)) } catch {
          return .failure(error)
        }
      }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
  for client in clients { await client.close() }
  return results
}

/// The longest that one of thirty calls takes which are made one after the other while sixteen of another user wait
/// for a lock (S-2).
///
/// The clients are closed afterwards.
///
/// - Parameters:
///   - hold: locks what the sixteen wait for until its transaction ends.
///   - waiting: one of the sixteen, by its number; one that is refused, as its statement may take ten seconds only, calls again.
///   - other: one of the thirty, by its number.
/// - Throws: what one of the thirty throws.
public func slowestCall(
  over clients: [RPCClient], in database: Database,
  holding hold: @escaping @Sendable (Transaction) async throws -> Void,
  waiting: @escaping @Sendable (RPCClient, Int) async throws -> Void,
  other: @escaping @Sendable (RPCClient, Int) async throws -> Void
) async throws -> Duration {
  let areOver = Gathered<Bool>()
  let (calls, slowest) = try await database.transaction { tx in
    defer { areOver.add(true) }
    try await hold(tx)
    let calls = (0..<16).map { number in
      Task {
        while true {
          do { return try await waiting(clients[number % clients.count], number) } catch is Status {
            if !areOver.all.isEmpty { return }
          }
          // Between two calls of one that is refused, which leaves the processor to the others; nothing waits for it.
          try await Task.sleep(for: .milliseconds(20))
        }
      }
    }
    try await until("one of the sixteen waits") { try await tx.first(LockWaiters()) ?? 0 > 0 }
    var slowest = Duration.zero
    for number in 0..<30 {
      let began = ContinuousClock.now
      try await other(clients[number % clients.count], number)
      slowest = max(slowest, ContinuousClock.now - began)
    }
    try await until("they wait still") { try await tx.first(LockWaiters()) ?? 0 > 0 }
    return (calls, slowest)
  }
  for call in calls { try await call.value }
  for client in clients { await client.close() }
  return slowest
}

/// How many sessions of this database wait for a lock. A lock of a row that waits names no database.
private struct LockWaiters: SingleRowStatement {
  typealias Row = Int64
  static let sql = """
    select count(distinct pid) from pg_locks
    where not granted and pid in (
      select pid from pg_locks where database = (select oid from pg_database where datname = current_database())
    )
    """
}

extension Array {
  /// The results of the successful calls.
  public func successes<Success, Failure>() -> [Success] where Element == Result<Success, Failure> {
    compactMap { if case .success(let success) = $0 { success } else { nil } }
  }

  /// The statuses of the refused calls.
  public func refusals<Success>() -> [Status] where Element == Result<Success, any Error> {
    compactMap { if case .failure(let error) = $0 { error as? Status } else { nil } }
  }
}
