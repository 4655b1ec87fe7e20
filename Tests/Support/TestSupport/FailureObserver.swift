import Synchronization
import Testing

/// Detects whether the running test records a failure.
final class FailureObserver: Sendable {
  private let seen = Mutex(false)

  /// Whether a failure was recorded in ``observe(_:)``.
  var hasSeenFailure: Bool { seen.withLock { $0 } }

  /// Runs `body`; outside a test nothing can be recorded.
  func observe<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
    guard let test = Test.current else { return try await body() }
    let result = Mutex<R?>(nil)
    let trait = IssueHandlingTrait.compactMapIssues { [self] issue in
      if issue.isFailure { seen.withLock { $0 = true } }
      return issue
    }
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      let made = try await body()
      result.withLock { $0 = made }
    }
    guard let made = result.withLock({ $0 }) else { throw CancellationError() }
    return made
  }
}
