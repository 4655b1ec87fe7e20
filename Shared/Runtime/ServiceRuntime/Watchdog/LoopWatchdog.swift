import CStacks
import Dispatch
import Glibc
import Logging
import LoopExecutor
import Metrics
import Postgres
import Synchronization
import TTRPC
import Telemetry

/// Ends the process when one of its event loops hangs, so that its supervisor restarts it.
///
/// A loop that hangs serves none of its connections, and the process would go on listening: clients wait, and nothing
/// else detects it. A thread checks the loops once a second. It counts checks, not time: where the whole process is
/// stopped and continued, or the machine sleeps, none was missed.
final class LoopWatchdog: Sendable {
  /// Called when a loop hangs, with what it runs where that is a call.
  typealias Stall = @Sendable (_ loop: Int, _ work: LoopedWork?) -> Void

  /// The interval of checks.
  static let interval = Duration.seconds(1)

  private let loops: [LoopExecutor]
  private let interval: Duration
  private let missesAllowed: Int
  private let stalled: Stall
  private let states: [LoopState]
  private let hasBegun = Atomic(false)
  private let isStopping = Atomic(false)
  private let wake = DispatchSemaphore(value: 0)
  private let ended = ReadinessPromise()

  private final class LoopState: Sendable {
    /// Whether it has turned since the last check.
    let hasTurned = Atomic(true)
    let misses = Atomic(0)
    private let longestTurn: Gauge
    private let longest = Mutex<[Duration]>([])

    /// The longest turns of this many checks are in the metric.
    private static let checks = 60

    init(_ index: Int) {
      longestTurn = Gauge(label: "event_loop_longest_turn_seconds", dimensions: [("event_loop", "\(index)")])
    }

    func note(_ turn: Duration) {
      let longest = longest.withLock { longest in
        longest = longest.suffix(Self.checks - 1) + [turn]
        return longest.max() ?? .zero
      }
      longestTurn.record(longest / .seconds(1))
    }

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
    states = group.executors.indices.map(LoopState.init)
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
    hasBegun.store(true, ordering: .relaxed)
    for executor in loops { executor.loop.execute { tandem_stacks_allow() } }
    let hasStarted = BackgroundThread.start {
      self.watch()
      self.ended.make(true)
    }
    if !hasStarted { ended.make(false) }
    return hasStarted
  }

  /// Returns when the checks have ended, and the loops may be shut down; at once where they never began, as when a port was taken.
  func stop() async {
    guard hasBegun.load(ordering: .relaxed) else { return }
    isStopping.store(true, ordering: .relaxed)
    wake.signal()
    _ = await ended.outcome
  }

  private func watch() {
    tandem_name_own_thread("loop-watchdog")
    while !isStopping.load(ordering: .relaxed) {
      for index in loops.indices where misses(of: index) >= missesAllowed {
        return stalled(index, LoopedWork(loops[index].turnRecord.current))
      }
      // The thread does nothing else.
      _ = wake.wait(timeout: .now() + interval / .seconds(1))
    }
  }

  /// Queues a task on a loop, and returns how many checks in a row it has missed.
  private func misses(of index: Int) -> Int {
    let state = states[index]
    state.note(loops[index].turnRecord.takeLongest())
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
    { loop, work in
      _ = BackgroundThread.start {
        // This thread is asked for its stack too, and the signal ends a sleep.
        var left = logTime
        while left > 0 { left = sleep(left) }
        _exit(exitStatus)
      }
      logger.critical(
        "an event loop hangs: the process ends, for its supervisor to start it again",
        metadata: ["event_loop": "\(loop)", "limit": "\(limit)"].merging(work?.line ?? [:]) { own, _ in own })
      for thread in ThreadStacks.all() {
        logger.critical(
          "stack of a thread",
          metadata: [
            "thread": "\(thread.id)", "name": "\(thread.name)",
            "calls": .array(thread.calls.map { .string($0) }),
          ])
      }
      // Lines are written by a thread of their own, which `_exit` does not wait for.
      LogWriter.standardError.flush()
      _exit(exitStatus)
    }
  }
}

/// A call that an event loop runs: the method, and on whose behalf.
public struct LoopedWork: Sendable, Hashable {
  /// As in `tandem.identity.v1.Profiles/GetProfile`.
  public let method: String
  /// As in `user 0198…`, or `address 192.0.2.7`.
  public let owner: String

  init?(_ current: (number: Int, owner: String)?) {
    guard let current, let method = MethodNumbers.name(of: current.number) else { return nil }
    self.method = method
    owner = current.owner
  }

  var line: Logger.Metadata { ["rpc": "\(method)", "owner": "\(owner)"] }
}

extension LoopGroup {
  /// A turn that a client may notice. A loop has work for less than a millisecond in each.
  private static let noticeable = Duration.milliseconds(100)

  /// Logs what keeps a loop from its other clients.
  func logLongTurns(_ logger: Logger) {
    for executor in executors {
      executor.turnRecord.whenLonger(than: Self.noticeable) { turn in
        var line: Logger.Metadata = ["event_loop": "\(executor.index)", "duration": "\(turn.duration)"]
        if let method = MethodNumbers.name(of: turn.number) { line["rpc"] = "\(method)" }
        if let owner = turn.owner { line["owner"] = "\(owner.name)" }
        logger.warning("one piece of work kept an event loop from all others", metadata: line)
      }
    }
  }
}
