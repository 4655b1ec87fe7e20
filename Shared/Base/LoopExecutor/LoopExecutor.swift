import DequeModule
import CAffinity
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A buffer of output that is flushed once per burst of input rather than once per write.
///
/// Confined to the event loop of the executor that it was passed to.
public protocol FlushTarget: AnyObject {
  /// Sends what was written since the last call. Runs on the event loop.
  func flush()
}

/// Runs Swift tasks on one event loop, and nowhere else.
///
/// Jobs that become ready while the loop handles a burst of input wait in a queue that is drained once, at the burst's
/// end; every ``FlushTarget`` that was written to meanwhile is flushed once after that. So a read of sixty-four
/// requests costs one drain and one system call for all its responses, and state that belongs to the loop needs no
/// lock. Tasks of different ``LoopLane``s take turns.
///
/// `@unchecked Sendable`: every mutable property is touched only on `loop`; `enqueue` from elsewhere hops there first.
public final class LoopExecutor: LoopWork, @unchecked Sendable {
  /// The loop that everything runs on.
  public let loop: any EventLoop
  /// The executor's place in its group, from 0: an index for per-loop state.
  public let index: Int
  /// How long one task may keep the loop from other clients' input, where it can be interrupted.
  public let quantum: TimeAmount

  let mailbox: LoopMailbox?
  private let own = JobLine(capacity: 512)
  /// Lines with jobs, in the order of their turns.
  private var ready = Deque<JobLine>(minimumCapacity: 64)
  /// What runs at present, 0 for nothing that has a name, and what ran last.
  private var running = 0
  private var ranLast = 0
  /// The owner of what runs, or ran last.
  private var runningMark: WorkMark?
  /// What runs at present, for other threads, and how long the loop's turns take.
  public let turnRecord = LoopTurns()
  private var targets: [any FlushTarget] = []
  private var waitingForInput: [@Sendable () -> Void] = []
  /// Lines with unfinished work, in the order of their turns.
  private var unfinished = Deque<JobLine>()
  /// How many turns there have been.
  fileprivate var turns = 0
  private var isTurnScheduled = false
  private var isTurnDue = false
  private var isDraining = false
  private var isDrainScheduled = false
  private var burstDepth = 0

  /// For a loop that a test or a fuzzer runs by hand; every other one comes from a ``LoopGroup``.
  package init(loop: any EventLoop, index: Int) {
    self.loop = loop
    self.index = index
    // The test or fuzzer that runs the loop decides when a turn ends.
    quantum = .hours(1)
    mailbox = nil
  }

  /// For a loop that its input wakes.
  fileprivate init(of loop: any EventLoop, index: Int, quantum: TimeAmount) {
    self.loop = loop
    self.index = index
    self.quantum = quantum
    mailbox = LoopMailbox()
    // Held until the loop ends. A weak reference to the executor would make every other reference count of it slower,
    // in each call.
    mailbox?.open(on: loop) { works in self.receive(works) }
  }

  /// Runs `work` on the loop, from another thread, as if it were input, so that the loop polls its sockets in between.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    guard mailbox?.post(work) ?? false else { return loop.execute(work) }
  }

  private func receive(_ works: [@Sendable () -> Void]) {
    beginBurst()
    for work in works { work() }
    endBurst()
    guard isTurnDue else { return }
    isTurnDue = false
    // Runs once all the input of this poll has been handled.
    loop.execute { self.takeTurn() }
  }

  /// The executor of the event loop that runs this thread; `nil` off the loops of any ``LoopGroup``.
  public static var current: LoopExecutor? { ofThread.currentValue }

  fileprivate static let ofThread = ThreadSpecificVariable<LoopExecutor>()

  /// Takes a job: directly into the queue when called on the loop, else through the loop's mailbox.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job), own, of: self)
  }

  /// Takes a job of `work`, which takes turns with those of other lanes. From any thread.
  public func enqueue(_ job: consuming ExecutorJob, in lane: LoopLane, of work: any LoopWork) {
    enqueue(UnownedJob(job), lane.line, of: work)
  }

  fileprivate func enqueue(_ job: UnownedJob, _ line: JobLine, of executor: any LoopWork) {
    guard loop.inEventLoop else { return execute { self.append(job, line, of: executor) } }
    append(job, line, of: executor)
  }

  private func append(_ job: UnownedJob, _ line: JobLine, of executor: any LoopWork) {
    line.jobs.append((job, executor))
    if !line.isReady {
      line.isReady = true
      ready.append(line)
    }
    scheduleDrain()
  }

  // MARK: What runs

  public var mark: WorkMark? { nil }
  public var number: Int { 0 }

  /// The owner of what runs now; `nil` for none in particular. On the loop only.
  public var owner: WorkOwner? { running == 0 ? nil : runningMark?.owner }

  /// Runs `body`, a part of `work`. On the loop only.
  @inline(__always)
  public func run(_ work: some LoopWork, _ body: () -> Void) {
    let (before, markBefore) = (running, runningMark)
    belongs(to: work.mark, work.number)
    body()
    belongs(to: before == 0 ? runningMark : markBefore, before)
  }

  private func belongs(to mark: WorkMark?, _ number: Int) {
    if number != 0 { ranLast = number }
    running = number
    turnRecord.runs(number)
    guard mark !== runningMark else { return }
    runningMark = mark
    turnRecord.belongs(to: mark)
  }

  /// Notes how long a piece of work has taken. On the loop only.
  fileprivate func note(_ time: TimeAmount) { turnRecord.note(time, ranLast, runningMark) }

  /// Begins a burst: jobs and flushes wait until the matching ``endBurst()``. Bursts nest. On the loop only.
  public func beginBurst() {
    burstDepth += 1
  }

  /// Ends a burst; the outermost one runs what became ready and flushes what was written. On the loop only.
  public func endBurst() {
    burstDepth -= 1
    guard burstDepth == 0 else { return }
    // One drain between two polls is enough where there is more to do than fits.
    if isTurnScheduled, !isDraining { flushTargets() } else { drain() }
  }

  /// Has `target` flushed once, after the jobs that are ready now. On the loop only; call it once per flush, not once per write.
  public func flushAfterBurst(_ target: any FlushTarget) {
    targets.append(target)
    scheduleDrain()
  }

  private func scheduleDrain() {
    guard !isDraining, burstDepth == 0, !isDrainScheduled, !isTurnScheduled else { return }
    isDrainScheduled = true
    loop.execute {
      self.isDrainScheduled = false
      self.drain()
    }
  }

  // MARK: Turns

  /// Runs `work` after the loop's next poll of its input and timers. On the loop only.
  ///
  /// `execute` would not do: the loop runs what was executed, and what that executes, until nothing is left, and only
  /// then polls.
  public func afterPoll(_ work: @escaping @Sendable () -> Void) {
    waitingForInput.append(work)
    scheduleTurn()
  }

  /// Continues work of a lane that has used up its ``quantum``, after the loop's next poll of its input and timers: in
  /// each turn as many pieces as fit one more quantum, at least one. Lanes take turns; within a lane the oldest work
  /// goes first. On the loop only.
  public func goOnInTurn(of lane: LoopLane, _ work: @escaping @Sendable () -> Void) {
    loop.assertInEventLoop()
    if lane.line.unfinished.isEmpty { unfinished.append(lane.line) }
    lane.line.unfinished.append(work)
    scheduleTurn()
  }

  /// Where there is no mailbox: long enough that the loop finds nothing due and polls.
  private static let timeToLook = TimeAmount.microseconds(20)

  private func scheduleTurn() {
    guard !isTurnScheduled else { return }
    isTurnScheduled = true
    // Behind the input of this poll, so that the wake-up is input of the next one.
    loop.execute {
      self.isTurnDue = true
      if !(self.mailbox?.wake() ?? false) { self.loop.scheduleTask(in: Self.timeToLook) { self.receive([]) } }
    }
  }

  /// Runs the work that waits for the loop's poll.
  private func takeTurn() {
    isTurnScheduled = false
    turns += 1
    let work = waitingForInput
    waitingForInput = []
    beginBurst()
    for one in work { one() }
    finishSome()
    burstDepth -= 1
    // Even where another turn is scheduled by now: each turn has its drain.
    drain()
    if !unfinished.isEmpty { scheduleTurn() }
  }

  /// Continues unfinished work for one ``quantum``, or with one piece that takes longer.
  private func finishSome() {
    guard !unfinished.isEmpty else { return }
    var began = NIODeadline.now()
    let end = began + quantum
    // Only the pieces that are there now: what they leave unfinished is for the next turn.
    for _ in 0..<unfinished.reduce(0, { $0 + $1.unfinished.count }) {
      guard let line = unfinished.popFirst(), let piece = line.unfinished.popFirst() else { return }
      if !line.unfinished.isEmpty { unfinished.append(line) }
      piece()
      let now = NIODeadline.now()
      note(now - began)
      began = now
      if now >= end { return }
    }
  }

  // MARK: Draining

  /// Jobs of one line that run before those of the next, and before the clock is read.
  private static let jobsPerTurn = 8

  /// Runs ready jobs, and flushes afterwards, for at most ``quantum``: tasks that keep making each other ready must not
  /// keep the loop from its input and timers, nor two flushes that request each other.
  private func drain() {
    guard !isDraining, burstDepth == 0 else { return }
    isDraining = true
    var end: NIODeadline?
    var isOver = false
    func look(at now: NIODeadline = .now()) {
      if let end { isOver = now >= end } else { end = now + quantum }
    }
    repeat {
      var began = ready.isEmpty ? nil : NIODeadline.now()
      while !isOver, let next = ready.popFirst() {
        runJobs(of: next)
        let now = NIODeadline.now()
        if let began { note(now - began) }
        began = now
        if !ready.isEmpty { look(at: now) }
      }
      flushTargets()
      if isAnythingDue { look() }
    } while isAnythingDue && !isOver
    isDraining = false
    if isAnythingDue { scheduleTurn() }
  }

  private func runJobs(of line: JobLine) {
    var left = Self.jobsPerTurn
    while left > 0, let (job, work) = line.jobs.popFirst() {
      left -= 1
      belongs(to: work.mark, work.number)
      job.runSynchronously(on: work.asUnownedTaskExecutor())
    }
    belongs(to: runningMark, 0)
    if line.jobs.isEmpty { line.isReady = false } else { ready.append(line) }
  }

  private var isAnythingDue: Bool { !ready.isEmpty || !targets.isEmpty }

  private func flushTargets() {
    guard !targets.isEmpty else { return }
    let written = targets
    targets.removeAll(keepingCapacity: true)
    for target in written { target.flush() }
  }
}

/// Jobs and work of one lane, which run one after the other.
///
/// `@unchecked Sendable`: all of it is touched on the executor's loop only. `enqueue` goes there first; `runJobs` and
/// `finishSome` are called by `drain` and `takeTurn` alone, which run there; `goOnInTurn` and what counts a lane's
/// input assert that they do.
private final class JobLine: @unchecked Sendable {
  var jobs: Deque<(job: UnownedJob, work: any LoopWork)>
  /// Whether its executor's `ready` contains it.
  var isReady = false
  var unfinished = Deque<@Sendable () -> Void>()
  /// The time that its input has taken since the loop's last poll, as far as that is known: since this turn, or since
  /// this source began.
  var inputTime = (total: TimeAmount.zero, turn: -1, source: ObjectIdentifier?.none)

  init(capacity: Int = 0) { jobs = Deque(minimumCapacity: capacity) }
}

/// Runs tasks on the event loop of a ``LoopExecutor``, in turns with the tasks of other lanes: however many tasks one
/// lane has, those of the others wait for a few of them only.
public final class LoopLane: LoopWork {
  private let executor: LoopExecutor
  fileprivate let line = JobLine()
  public let mark: WorkMark?
  public var number: Int { mark == nil ? 0 : -1 }

  /// - Parameter owner: the owner of tasks that have the lane itself as their executor.
  public init(_ executor: LoopExecutor, owner: WorkOwner? = nil) {
    self.executor = executor
    mark = owner.map(WorkMark.init)
  }

  /// Takes a job, from any thread.
  public func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(UnownedJob(job), line, of: self) }

  /// Notes that input has come from `source`, a socket: the loop reads each at most once between two polls, so a second
  /// read shows that the loop has polled, and that the lane has its whole ``LoopExecutor/quantum`` again. On the loop
  /// only.
  public func beginInput(from source: AnyObject) {
    executor.loop.assertInEventLoop()
    let source = ObjectIdentifier(source)
    if isNewTurn || line.inputTime.source == source { line.inputTime = (.zero, executor.turns, source) }
  }

  /// Whether the lane may use more time for its input before the loop polls again. On the loop only.
  public var hasTimeForInput: Bool { isNewTurn || line.inputTime.total < executor.quantum }

  /// Adds the time that input of the lane took. On the loop only.
  public func spendOnInput(_ time: TimeAmount) {
    executor.loop.assertInEventLoop()
    executor.note(time)
    if isNewTurn { line.inputTime = (.zero, executor.turns, nil) }
    line.inputTime.total = line.inputTime.total + time
  }

  private var isNewTurn: Bool { line.inputTime.turn != executor.turns }
}

/// Event loops, each with its ``LoopExecutor``.
public final class LoopGroup: Sendable {
  /// The loops, for bootstraps.
  public let eventLoops: MultiThreadedEventLoopGroup
  /// One executor per loop, in the order of their ``LoopExecutor/index``.
  public let executors: [LoopExecutor]
  private let byLoop: [ObjectIdentifier: LoopExecutor]

  /// More than a hundred times the cost of a poll, enough for a read of 64 KiB in small messages, and little compared
  /// with a message's time on the network.
  public static let quantum = TimeAmount.microseconds(500)

  /// How many cores the process may use, by its control group and by its affinity (sched_setaffinity(2)).
  public static var usableCores: Int {
    var allowed = cpu_set_t()
    guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &allowed) == 0 else { return max(1, System.coreCount) }
    let count = withUnsafeBytes(of: allowed) { bytes in bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
    return max(1, min(System.coreCount, count))
  }

  /// Starts `threads` event loops, a thread each.
  public init(threads: Int, quantum: TimeAmount = quantum) {
    eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: threads)
    executors = eventLoops.makeIterator().enumerated().map { LoopExecutor(of: $1, index: $0, quantum: quantum) }
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
    // Not left to the executors' end: a task that never ends would keep theirs open.
    for executor in executors { executor.mailbox?.close() }
  }
}
