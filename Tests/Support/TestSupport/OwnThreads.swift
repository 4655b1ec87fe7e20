import Foundation
public import Testing

/// Runs tests that block their thread on threads of their own.
///
/// The tasks of all tests share as many threads as there are cores: two tests that block there on a socket or a process would block
/// everything, including what they wait for.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  /// Suites hand it to their tests.
  public var isRecursive: Bool { true }

  /// Runs the test, and the tasks that it starts within itself.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadPerJob()) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// For tests that block their thread.
  public static var ownThreads: Self { OwnThreads() }
}

/// A thread for each stretch that a task runs between two waits.
private final class ThreadPerJob: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
