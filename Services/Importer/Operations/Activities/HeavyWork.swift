import Identifiers
import WorkerPool

/// Threads for what grows with what users sent or have stored: it never runs on an event loop, and users have their turns.
package struct HeavyWork: Sendable {
  /// So much waits already that more is refused.
  package struct Overloaded: Error, Sendable {}

  private let pool: BoundedPool

  /// - Parameter workers: threads, of which one user's work has half at most.
  package init(workers: Int) { pool = BoundedPool(label: "tandem.importer", workers: workers, places: 1_024) }

  /// Runs `work`, which is to take some tens of milliseconds at most: longer work comes in parts, so that others have their turns.
  ///
  /// - Throws: `Overloaded`, `CancellationError`, or what `work` throws.
  package func run<Result: Sendable>(
    for user: UserID, _ work: @escaping @Sendable (borrowing PoolThread) throws -> Result
  ) async throws -> Result {
    do { return try await pool.run(for: user.description, work) } catch is BoundedPool.Overloaded { throw Overloaded() }
  }

  /// The same for work that does not ask for the proof.
  package func run<Result: Sendable>(
    for user: UserID, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await run(for: user) { (_: borrowing PoolThread) in try work() }
  }
}
