public import Postgres

extension Database {
  /// Runs a transaction again and again until no other is in its way, however often that takes.
  ///
  /// - Parameter conflicted: called each time that another was.
  public nonisolated(nonsending) func persistentTransaction<R>(
    conflicted: () -> Void = {}, _ body: nonisolated(nonsending) (Transaction) async throws -> R
  ) async throws -> R {
    while true {
      do { return try await transaction(body) } catch let error as PostgresError where error.isConflict { conflicted() }
    }
  }
}
