import CStacks
import Dispatch
import Glibc
import Logging
import LoopExecutor
import Postgres
import Synchronization

/// Ends the process when one of its event loops hangs, so that its supervisor restarts it.
///
/// A loop that hangs serves none of its connections, and the process would go on listening: clients wait, and nothing
/// else detects it. A thread checks the loops once a second. It counts checks, not time: where the whole process is
/// stopped and continued, or the machine sleeps, none was missed.
final class LoopWatchdog: Sendable {
  /// Called when a loop hangs.
  typealias Stall = @Sendable (_ loop: Int) -> Void

  /// The interval of checks.
  static let interval = Duration.seconds(1)

  private let loops: [LoopExecutor]
  private let interval: Duration
  private let missesAllowed: Int
  private let stalled: Stall
  private let states: [LoopState]
  private let isStopping = Atomic(false)
  private let wake = DispatchSemaphore(value: 0)
  private let ended = ReadinessPromise()

  private final class LoopState: Sendable {
    /// Whether it has turned since the last check.
    let hasTurned = Atomic(true)
    let misses = Atomic(0)

    var missCount: Int { misses.load(ordering: .relaxed) }
  }

  /// - Parameters:
  ///   - limit: how long a loop may take for a turn, in whole intervals.
  ///   - stalled: called once, on the watchdog's thread.
  init(_ group: LoopGroup, limit: Duration, every interval: Duration = interval, stalled: @escaping Stall) {
    loops = group.executors
    self.interval = interval
    missesAllowed = max(1, Int((limit / interval).rounded(.up)))
    self.stalled = stalled
    states = group.executors.map { _ in LoopState() }
  }

  /// Why the process is not live: a loop has missed two checks in a row. `nil` while all turn.
  var unhealthyReason: String? {
    let worst = states.enumerated().max { $0.element.missCount < $1.element.missCount }
    guard let worst, worst.element.missCount >= min(2, missesAllowed) else { return nil }
    return "event loop \(worst.offset) has not turned for \(interval * worst.element.missCount)"
  }

  /// Begins the checks, until ``stop()``.
  ///
  /// - Returns: false when the system allows no more threads.
  func start() -> Bool {
    for executor in loops { executor.loop.execute { tandem_stacks_allow() } }
    let hasStarted = BackgroundThread.start {
      self.watch()
      self.ended.make(true)
    }
    if !hasStarted { ended.make(false) }
    return hasStarted
  }

  /// Returns when the checks have ended, and the loops may be shut down. After ``start()``.
  func stop() async {
    isStopping.store(true, ordering: .relaxed)
    wake.signal()
    _ = await ended.outcome
  }

  private func watch() {
    tandem_name_own_thread("loop-watchdog")
    while !isStopping.load(ordering: .relaxed) {
      for index in loops.indices where misses(of: index) >= missesAllowed { return stalled(index) }
      // The thread does nothing else.
      _ = wake.wait(timeout: .now() + interval / .seconds(1))
    }
  }

  /// Queues a task on a loop, and returns how many checks in a row it has missed.
  private func misses(of index: Int) -> Int {
    let state = states[index]
    guard state.hasTurned.exchange(false, ordering: .relaxed) else {
      return state.misses.wrappingAdd(1, ordering: .relaxed).newValue
    }
    state.misses.store(0, ordering: .relaxed)
    loops[index].loop.execute { state.hasTurned.store(true, ordering: .relaxed) }
    return 0
  }
}

extension LoopWatchdog {
  /// The exit status of a process that has ended itself because a loop hung: EX_SOFTWARE of sysexits.h.
  static let exitStatus: Int32 = 70
  /// Seconds that writing the log may take, which may itself wait for the thread that hangs.
  private static let logTime: UInt32 = 10

  /// Logs the stacks of all threads, and ends the process at once: a loop that hangs cannot be drained.
  static func endingProcess(after limit: Duration, _ logger: Logger) -> Stall {
    { loop in
      _ = BackgroundThread.start {
        sleep(logTime)
        _exit(exitStatus)
      }
      logger.critical(
        "an event loop hangs: the process ends, for its supervisor to start it again",
        metadata: ["event_loop": "\(loop)", "limit": "\(limit)"])
      for thread in ThreadStacks.all() {
        logger.critical(
          "stack of a thread",
          metadata: [
            "thread": "\(thread.id)", "name": "\(thread.name)",
            "calls": .array(thread.calls.map { .string($0) }),
          ])
      }
      _exit(exitStatus)
    }
  }
}
