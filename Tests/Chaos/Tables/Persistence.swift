public import Postgres

extension Database {
  /// Repeats a transaction until it has no conflict, however often that takes.
  ///
  /// - Parameter conflicted: called for each conflict.
  public nonisolated(nonsending) func persistentTransaction<R>(
    conflicted: () -> Void = {}, _ body: nonisolated(nonsending) (Transaction) async throws -> R
  ) async throws -> R {
    while true {
      do { return try await transaction(body) } catch let error as PostgresError where error.isConflict { conflicted() }
    }
  }
}
