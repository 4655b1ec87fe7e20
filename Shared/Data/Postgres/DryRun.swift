extension Database {
  /// Runs `body` in a transaction that is undone, and returns what it returned.
  ///
  /// Every check of the database runs, those that wait for the commit included; other transactions may have to wait as they would for a real one.
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

/// Carries an answer out of a transaction that is to be undone.
private struct DryRunResult<R: Sendable>: Error {
  let answer: R
}

/// Has the constraints checked that would be at the commit.
private struct CheckConstraints: Statement {
  typealias Row = Void
  static let sql = "set constraints all immediate"
}
