import Dispatch
import Foundation
import Synchronization
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
    try await withTaskExecutorPreference(OwnThreadExecutor.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// For tests that block their thread.
  public static var ownThreads: Self { OwnThreads() }
}

/// A thread for each stretch that a task runs between two waits. A thread that has run one waits for the next: suites of this kind have
/// thousands of stretches a second.
private final class OwnThreadExecutor: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    /// Threads that wait, without those that were woken.
    var idle = 0
  }

  static let shared = OwnThreadExecutor()

  private let work = Mutex(Work())
  private let wakes = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasIdle = work.withLock { work in
      work.jobs.append(job)
      guard work.idle > 0 else { return false }
      work.idle -= 1
      return true
    }
    if hasIdle { wakes.signal() } else { Thread.detachNewThread { self.run() } }
  }

  /// Runs jobs for ever: another thread may have taken the one that this thread was woken for.
  private func run() {
    while true {
      let next = work.withLock { work -> UnownedJob? in
        if work.jobs.isEmpty {
          work.idle += 1
          return nil
        }
        return work.jobs.removeFirst()
      }
      if let next { next.runSynchronously(on: asUnownedTaskExecutor()) } else { wakes.wait() }
    }
  }
}
