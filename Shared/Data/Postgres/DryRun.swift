extension Database {
  /// Runs `body` in a transaction that is rolled back, and returns its result.
  ///
  /// Every check of the database runs, deferred ones included; other transactions may have to wait as they would for
  /// one that commits.
  ///
  /// - Throws: as ``transaction(isolation:_:)``.
  nonisolated(nonsending) public func dryRun<R: Sendable>(
    isolation: Isolation = .readCommitted, _ body: nonisolated(nonsending) (Transaction) async throws -> R
  ) async throws -> R {
    do {
      return try await transaction(isolation: isolation) { (tx) async throws -> R in
        let answer = try await body(tx)
        try await tx.execute(CheckConstraints())
        throw DryRunResult(answer: answer)
      }
    } catch let dryRun as DryRunResult<R> {
      return dryRun.answer
    }
  }
}

/// Carries a result out of a transaction that is to be rolled back.
private struct DryRunResult<R: Sendable>: Error {
  let answer: R
}

/// Checks the constraints that are deferred to the commit.
private struct CheckConstraints: Statement {
  typealias Row = Void
  static let sql = "set constraints all immediate"
}
