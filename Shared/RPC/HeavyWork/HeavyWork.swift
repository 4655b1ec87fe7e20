import LoopExecutor
public import TTRPC
import WorkerPool

/// Threads for what grows with what users sent or have stored: it never runs on an event loop, and users have their turns.
public struct HeavyWork: Sendable {
  /// So much waits already that more is refused.
  public struct Overloaded: Error, Sendable {}

  private let pool: BoundedPool

  /// The process's own, with a thread for each core.
  public static let shared = HeavyWork(workers: LoopGroup.usableCores)

  /// - Parameter workers: threads, of which one user's work has half at most.
  public init(workers: Int) { pool = BoundedPool(label: "tandem.heavy", workers: workers, places: 1_024) }

  /// Runs `work` on behalf of whoever the caller works for. It is to take some tens of milliseconds at most: longer work comes in parts, so that
  /// others have their turns.
  ///
  /// - Throws: `Overloaded`, `CancellationError`, or what `work` throws.
  public func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let owner = WorkOwner.current.flatMap { $0.kind == .background ? nil : $0.name }
    return try await run(for: owner, work)
  }

  /// Runs `work` on behalf of an owner, of a user by its id; `nil` for the suite's own work.
  ///
  /// - Throws: `Overloaded`, `CancellationError`, or what `work` throws.
  public func run<Result: Sendable>(
    for owner: String?, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    do { return try await pool.run(for: owner, work) } catch is BoundedPool.Overloaded { throw Overloaded() }
  }
}

extension HeavyWork.Overloaded: StatusConvertible {
  public var status: Status {
    Status(
      .resourceExhausted, reason: "OVERLOADED", "Too much is being computed; try again shortly",
      retryAfter: .seconds(1))
  }
}
