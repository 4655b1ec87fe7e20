import HeavyWork
import Identifiers

extension HeavyWork {
  /// Runs `work` on behalf of a user.
  ///
  /// - Throws: `Overloaded`, `CancellationError`, or what `work` throws.
  package func run<Result: Sendable>(
    for user: UserID, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await run(for: user.description, work)
  }
}
