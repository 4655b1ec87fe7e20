import DequeModule
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

/// A thread for each stretch that a task runs between two waits, while the threads before it are blocked.
///
/// A thread more than there are cores makes nothing faster, and each that is woken costs more than most stretches: suites of this kind have
/// thousands a second. So work waits for a thread that is done, and gets one of its own where none has taken any for a while.
private final class OwnThreadExecutor: TaskExecutor {
  private struct Work {
    var jobs = Deque<UnownedJob>()
    /// Threads that run something, or were woken to.
    var busy = 0
    /// The most that are: as many as there are cores, and one more for each that was found blocked.
    var limit = OwnThreadExecutor.cores
    /// Threads that wait, without those that were woken.
    var idle = 0
    /// Jobs that were taken.
    var taken = 0
    /// Whether somewhere a thread looks after work that waits.
    var isWatched = false
  }

  /// What is done once the lock is released.
  private struct Steps {
    var wakes = false
    var begins = false
    var watches = false
  }

  static let shared = OwnThreadExecutor()
  private static let cores = ProcessInfo.processInfo.activeProcessorCount
  /// How long work waits before a thread more runs it.
  private static let patience = Duration.milliseconds(1)

  private let work = Mutex(Work())
  private let wakes = DispatchSemaphore(value: 0)
  private let watch = DispatchSemaphore(value: 0)

  private init() { Thread.detachNewThread { self.look() } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    carryOut(
      work.withLock { work in
        work.jobs.append(job)
        return Self.next(&work)
      })
  }

  /// Gives waiting work a thread where one more may run, else has it watched.
  private static func next(_ work: inout Work) -> Steps {
    guard !work.jobs.isEmpty else { return Steps() }
    if work.busy < work.limit {
      work.busy += 1
      guard work.idle > 0 else { return Steps(begins: true) }
      work.idle -= 1
      return Steps(wakes: true)
    }
    if work.isWatched { return Steps() }
    work.isWatched = true
    return Steps(watches: true)
  }

  private func carryOut(_ steps: Steps) {
    if steps.wakes { wakes.signal() }
    if steps.begins { Thread.detachNewThread { self.run() } }
    if steps.watches { watch.signal() }
  }

  /// Runs jobs for ever: another thread may have taken the one that this thread was woken for.
  private func run() {
    var wasBlocked = false
    while true {
      let (job, steps) = work.withLock { work -> (UnownedJob?, Steps) in
        if wasBlocked { work.limit = max(Self.cores, work.limit - 1) }
        if work.busy <= work.limit, let job = work.jobs.popFirst() {
          work.taken += 1
          return (job, Steps())
        }
        work.busy -= 1
        work.idle += 1
        return (nil, Self.next(&work))
      }
      carryOut(steps)
      let start = ContinuousClock.now
      if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else { wakes.wait() }
      wasBlocked = job != nil && ContinuousClock.now - start > Self.patience
    }
  }

  /// Lets one thread more run wherever none has taken a job that waits.
  private func look() {
    while true {
      watch.wait()
      var taken: Int?
      repeat {
        Thread.sleep(forTimeInterval: Self.patience / .seconds(1))
        let (now, steps) = work.withLock { work -> (Int?, Steps) in
          work.isWatched = !work.jobs.isEmpty
          if work.isWatched, work.taken == taken { work.limit += 1 }
          return (work.isWatched ? work.taken : nil, Self.next(&work))
        }
        taken = now
        carryOut(steps)
      } while taken != nil
    }
  }
}
