import DequeModule
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Something with output to send, told once per burst rather than once per write.
///
/// Confined to the event loop of the executor it was handed to.
public protocol FlushTarget: AnyObject {
  /// Sends what was written since the last call. Runs on the event loop.
  func flush()
}

/// Runs Swift tasks on one event loop, and nowhere else.
///
/// Jobs that become ready while the loop handles a burst of input wait in a queue that is drained once, at the burst's end; every
/// ``FlushTarget`` that was written to meanwhile is flushed once after that. So a read of sixty-four requests costs one drain and one
/// system call for all its answers, and state that belongs to the loop needs no lock.
///
/// `@unchecked Sendable`: every mutable property is touched only on `loop`; `enqueue` from elsewhere hops there first.
public final class LoopExecutor: TaskExecutor, @unchecked Sendable {
  /// The loop that everything runs on.
  public let loop: any EventLoop
  /// The executor's place in its group, from 0: an index for per-loop state.
  public let index: Int

  private var jobs = Deque<UnownedJob>(minimumCapacity: 512)
  private var targets: [any FlushTarget] = []
  private var isDraining = false
  private var isDrainScheduled = false
  private var burstDepth = 0

  /// For a loop that a test or a fuzzer turns by hand; every other one comes from a ``LoopGroup``.
  package init(loop: any EventLoop, index: Int) {
    self.loop = loop
    self.index = index
  }

  /// The executor of the event loop that runs this thread; `nil` off the loops of any ``LoopGroup``.
  public static var current: LoopExecutor? { ofThread.currentValue }

  fileprivate static let ofThread = ThreadSpecificVariable<LoopExecutor>()

  /// Takes a job: at once in the queue when called on the loop, else by way of the loop.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if loop.inEventLoop {
      jobs.append(job)
      scheduleDrain()
    } else {
      loop.execute {
        self.jobs.append(job)
        self.scheduleDrain()
      }
    }
  }

  /// Begins a burst: jobs and flushes wait until the matching ``endBurst()``. Bursts nest. On the loop only.
  public func beginBurst() {
    burstDepth += 1
  }

  /// Ends a burst; the outermost one runs what became ready and flushes what was written. On the loop only.
  public func endBurst() {
    burstDepth -= 1
    if burstDepth == 0 { drain() }
  }

  /// Has `target` flushed once, after the jobs that are ready now. On the loop only; call it once per flush, not once per write.
  public func flushAfterBurst(_ target: any FlushTarget) {
    targets.append(target)
    scheduleDrain()
  }

  private func scheduleDrain() {
    guard !isDraining, burstDepth == 0, !isDrainScheduled else { return }
    isDrainScheduled = true
    loop.execute {
      self.isDrainScheduled = false
      self.drain()
    }
  }

  /// Runs `work` once the loop has looked at its input and timers. On the loop only.
  ///
  /// `execute` would not do: the loop runs what was executed, and what that executes, until nothing is left, and only then looks.
  public func afterInput(_ work: @escaping @Sendable () -> Void) {
    // Its time runs from the end of what the loop is at. Were that longer than a turn, the work would be due right after it, and so on: the
    // loop would never look.
    loop.execute { self.loop.scheduleTask(in: Self.turn, work) }
  }

  /// Long enough that the loop finds nothing due and polls, short beside the system call that does so.
  private static let turn = TimeAmount.microseconds(20)

  /// Jobs that one drain runs before the loop gets to its input and timers again, so that tasks which keep making each other ready
  /// cannot starve it. Above any burst that one read brings.
  private static let jobsPerDrain = 4_096

  private func drain() {
    guard !isDraining, burstDepth == 0 else { return }
    isDraining = true
    var budget = Self.jobsPerDrain
    let executor = asUnownedTaskExecutor()
    repeat {
      while budget > 0, let job = jobs.popFirst() {
        budget -= 1
        job.runSynchronously(on: executor)
      }
      flushTargets()
      // A flush may make jobs ready, or have something else flushed; two that ask for each other must not keep the loop either.
      budget -= 1
    } while budget > 0 && isAnythingDue
    isDraining = false
    guard isAnythingDue, !isDrainScheduled else { return }
    isDrainScheduled = true
    afterInput {
      self.isDrainScheduled = false
      self.drain()
    }
  }

  private var isAnythingDue: Bool { !jobs.isEmpty || !targets.isEmpty }

  private func flushTargets() {
    guard !targets.isEmpty else { return }
    let written = targets
    targets.removeAll(keepingCapacity: true)
    for target in written { target.flush() }
  }
}

/// Event loops, each with its ``LoopExecutor``.
public final class LoopGroup: Sendable {
  /// The loops themselves, for bootstraps.
  public let eventLoops: MultiThreadedEventLoopGroup
  /// One executor per loop, in the order of their ``LoopExecutor/index``.
  public let executors: [LoopExecutor]
  private let byLoop: [ObjectIdentifier: LoopExecutor]

  /// Starts `threads` event loops, a thread each.
  public init(threads: Int) {
    eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: threads)
    executors = eventLoops.makeIterator().enumerated().map { LoopExecutor(loop: $1, index: $0) }
    byLoop = Dictionary(uniqueKeysWithValues: executors.map { (ObjectIdentifier($0.loop), $0) })
    for executor in executors { executor.loop.execute { LoopExecutor.ofThread.currentValue = executor } }
  }

  /// The executor of `loop`, which must be one of this group's.
  public func executor(of loop: any EventLoop) -> LoopExecutor {
    guard let executor = byLoop[ObjectIdentifier(loop)] else {
      preconditionFailure("the event loop belongs to another group")
    }
    return executor
  }

  /// Stops the loops. Everything that runs on them must have ended.
  public func shutdown() async throws {
    for executor in executors {
      try await executor.loop.submit { LoopExecutor.ofThread.currentValue = nil }.get()
    }
    try await eventLoops.shutdownGracefully()
  }
}
