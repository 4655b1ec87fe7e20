extension Database {
  /// Runs `body` in a transaction, as ``transaction(isolation:_:)`` does, and again after a conflict with another
  /// transaction.
  ///
  /// For bodies that are safe to run several times because they have effects only through their transaction. After a
  /// serialization failure (`40001`) or a deadlock (`40P01`) everything was undone, so the body runs again from its
  /// first line, in a new transaction that sees what the other one did. After an error of the body's own or a lost
  /// connection it is not repeated: then the outcome may be unknown.
  /// - Throws: what `body` throws; the last conflict after ``Conflicts/attempts`` of them.
  nonisolated(nonsending) public func repeatableTransaction<R>(
    isolation: Isolation = .readCommitted, pace: Pace = .quick,
    _ body: nonisolated(nonsending) (Transaction) async throws -> R
  ) async throws -> R {
    var pause = Conflicts.firstPause
    for _ in 1..<Conflicts.attempts {
      do {
        return try await transaction(isolation: isolation, pace: pace, body)
      } catch let error as PostgresError where error.isConflict {
        metrics.repeats.increment()
      }
      // At random, so that conflicting transactions do not conflict again.
      try await Task.sleep(for: pause * .random(in: 0...1))
      pause = min(pause * 2, Conflicts.maxPause)
    }
    return try await transaction(isolation: isolation, pace: pace, body)
  }
}

/// How often a transaction that conflicts with others is run.
public enum Conflicts {
  /// Enough for dozens that change the same row at the same moment.
  public static let attempts = 10
  /// About as long as a short transaction takes.
  static let firstPause: Duration = .milliseconds(4)
  /// Callers wait for the sum of the pauses: at most half a second.
  static let maxPause: Duration = .milliseconds(64)
}

extension PostgresError {
  /// Whether the error is a conflict with another transaction: everything was undone and the same may succeed now.
  public var isConflict: Bool {
    kind == .server && (sqlState == .serializationFailure || sqlState == .deadlockDetected)
  }
}
