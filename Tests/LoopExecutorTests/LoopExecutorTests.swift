import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import LoopExecutor

@Suite("Tasks on an event loop", .timeLimit(.minutes(5)))
struct LoopExecutorTests {
  /// Counts how often it is flushed, and what was done by then.
  ///
  /// `@unchecked Sendable`: touched on the loop only.
  private final class Target: FlushTarget, @unchecked Sendable {
    var flushes: [Int] = []
    var done = 0

    func flush() { flushes.append(done) }
  }

  private func withLoop(_ body: (LoopExecutor) async throws -> Void) async throws {
    let group = LoopGroup(threads: 1)
    try await body(group.executors[0])
    try await group.shutdown()
  }

  /// Connects to itself, which a loop does that looks at its sockets, and no other.
  private func useSockets(of executor: LoopExecutor) async throws {
    let server = try await ServerBootstrap(group: executor.loop).bind(host: "127.0.0.1", port: 0).get()
    let address = try #require(server.localAddress)
    let client = try await ClientBootstrap(group: executor.loop).connect(to: address).get()
    try await client.close()
    try await server.close()
  }

  @Test("a task runs on the loop, and is back on it after it waited elsewhere")
  func confinement() async throws {
    try await withLoop { executor in
      await Task(executorPreference: executor) {
        #expect(executor.loop.inEventLoop)
        await Task.detached {}.value
        #expect(executor.loop.inEventLoop)
        #expect(LoopExecutor.current === executor)
      }.value
    }
  }

  @Test("a group that was shut down has returned the descriptors that woke its loops, also where an executor is held")
  func descriptors() async throws {
    let group = LoopGroup(threads: 2)
    let executors = group.executors
    // Each pipe has a number that no other gets.
    let pipes = try executors.map { try #require($0.mailbox?.readEnd.flatMap(Self.target)) }
    #expect(pipes.allSatisfy { $0.hasPrefix("pipe:") } && Set(pipes).count == 2, "\(pipes)")

    try await group.shutdown()

    #expect(Self.open().isDisjoint(with: pipes))
    #expect(executors.allSatisfy { $0.mailbox?.readEnd == nil })
  }

  /// What a descriptor of this process leads to.
  private static func target(_ descriptor: Int32) -> String? {
    var text = [CChar](repeating: 0, count: 256)
    let count = readlink("/proc/self/fd/\(descriptor)", &text, text.count)
    return count > 0 ? String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// What the descriptors of this process lead to.
  private static func open() -> Set<String> {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var found: Set<String> = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let descriptor = Int32(name), let target = target(descriptor) { found.insert(target) }
    }
    return found
  }

  @Test("what a burst makes ready runs at its end, and is flushed once after that")
  func burst() async throws {
    try await withLoop { executor in
      let target = Target()
      try await executor.loop.submit {
        executor.beginBurst()
        executor.flushAfterBurst(target)
        for _ in 0..<3 {
          Task(executorPreference: executor) { target.done += 1 }
        }
        #expect(target.flushes.isEmpty)
        executor.endBurst()
        #expect(target.flushes == [3])
      }.get()
    }
  }

  /// Has another flushed while it is flushed itself.
  ///
  /// `@unchecked Sendable`: touched on the loop only.
  private final class Relay: FlushTarget, @unchecked Sendable {
    let executor: LoopExecutor
    var next: (any FlushTarget)?
    var flushes = 0

    init(_ executor: LoopExecutor) { self.executor = executor }

    func flush() {
      flushes += 1
      if let next { executor.flushAfterBurst(next) }
    }
  }

  @Test("what is to be flushed because of a flush is flushed too, though nothing else becomes ready")
  func flushOfAFlush() async throws {
    try await withLoop { executor in
      let (first, second) = (Relay(executor), Target())
      try await executor.loop.submit {
        first.next = second
        executor.flushAfterBurst(first)
      }.get()
      let flushes = try await executor.loop.submit { (first.flushes, second.flushes) }.get()
      #expect(flushes == (1, [0]))
    }
  }

  @Test("two that have each other flushed do not keep the loop from its timers")
  func endlessFlushes() async throws {
    try await withLoop { executor in
      let (first, second) = (Relay(executor), Relay(executor))
      try await executor.loop.submit {
        (first.next, second.next) = (second, first)
        executor.flushAfterBurst(first)
      }.get()
      try await executor.loop.scheduleTask(in: .milliseconds(1)) { (first.next, second.next) = (nil, nil) }
        .futureResult.get()
      let flushes = try await executor.loop.submit { (first.flushes, second.flushes) }.get()
      #expect(flushes.0 > 0 && flushes.1 > 0)
    }
  }

  @Test("tasks that keep making each other ready do not keep the loop from its sockets and timers")
  func fairness() async throws {
    try await withLoop { executor in
      let isOver = Atomic(false)
      let spinning = Task(executorPreference: executor) {
        while !isOver.load(ordering: .relaxed) { await Task.yield() }
      }
      // Neither would ever happen if the loop only ran tasks: the timer, and input on a socket.
      try await executor.loop.scheduleTask(in: .milliseconds(5)) {}.futureResult.get()
      try await useSockets(of: executor)
      isOver.store(true, ordering: .relaxed)
      await spinning.value
    }
  }

  @Test("work of other threads that keeps coming does not keep the loop from its sockets and timers")
  func executed() async throws {
    try await withLoop { executor in
      let isOver = Atomic(false)
      @Sendable func comeAgain() {
        guard !isOver.load(ordering: .relaxed) else { return }
        executor.execute(comeAgain)
        // Work that keeps the loop; nothing is waited for.
        usleep(100)
      }
      for _ in 0..<4 { executor.execute(comeAgain) }
      try await executor.loop.scheduleTask(in: .milliseconds(5)) {}.futureResult.get()
      try await useSockets(of: executor)
      isOver.store(true, ordering: .relaxed)
    }
  }

  @Test("the tasks of a lane wait for a few of another's, however many that has")
  func lanes() async throws {
    try await withLoop { executor in
      let (busy, quiet) = (LoopLane(executor), LoopLane(executor))
      let target = Target()
      let before = try await executor.loop.submit {
        executor.beginBurst()
        for _ in 0..<1_000 { Task(executorPreference: busy) { target.done += 1 } }
        let few = Task(executorPreference: quiet) {
          #expect(executor.loop.inEventLoop)
          return target.done
        }
        executor.endBurst()
        return few
      }.get().value
      #expect(before < 100)
      try await until("the others are done") { try await executor.loop.submit { target.done }.get() == 1_000 }
    }
  }

  @Test("what goes on in turn does so one lane after the other, and the loop looks at its sockets in between")
  func goingOn() async throws {
    try await withLoop { executor in
      let turns = Mutex<[Int]>([])
      let isOver = Atomic(false)
      let (crowd, single) = (LoopLane(executor), LoopLane(executor))
      @Sendable func goOn(_ number: Int) {
        turns.withLock { $0.append(number) }
        // Work that takes longer than a turn; nothing is waited for.
        usleep(1_000)
        guard !isOver.load(ordering: .relaxed) else { return }
        executor.goOnInTurn(of: number == 3 ? single : crowd) { goOn(number) }
      }
      executor.loop.execute {
        for number in 0..<4 { executor.goOnInTurn(of: number == 3 ? single : crowd) { goOn(number) } }
      }
      try await useSockets(of: executor)
      try await until("each went on") { turns.withLock { $0.count >= 6 } }
      isOver.store(true, ordering: .relaxed)
      let taken = turns.withLock { $0 }
      #expect(taken.prefix(6) == [0, 3, 1, 3, 2, 3])
      #expect(taken.enumerated().allSatisfy { $1 == ($0.isMultiple(of: 2) ? $0 / 2 % 3 : 3) })
    }
  }

  @Test("what goes on in turn keeps its order in a lane, and comes after what waits there")
  func smallPieces() async throws {
    try await withLoop { executor in
      let lane = LoopLane(executor)
      let order = Mutex<[Int]>([])
      try await executor.loop.submit {
        for number in 0..<100 {
          executor.goOnInTurn(of: lane) {
            order.withLock { $0.append(number) }
            if number == 0 { executor.goOnInTurn(of: lane) { order.withLock { $0.append(100) } } }
          }
        }
      }.get()
      try await until("all went on") { order.withLock { $0.count } == 101 }
      #expect(order.withLock { $0 } == Array(0...100))
    }
  }

  @Test("a lane has a quantum for its input until the loop polls, which a turn shows, or a source that comes again")
  func inputTime() async throws {
    try await withLoop { executor in
      let (lane, other) = (LoopLane(executor), LoopLane(executor))
      let (first, second) = (Source(), Source())
      try await executor.loop.submit {
        lane.beginInput(from: first)
        lane.spendOnInput(executor.quantum - .nanoseconds(1))
        lane.beginInput(from: second)
        #expect(lane.hasTimeForInput)
        lane.spendOnInput(.nanoseconds(1))
        lane.beginInput(from: second)
        #expect(!lane.hasTimeForInput && other.hasTimeForInput)
        lane.beginInput(from: first)
        #expect(lane.hasTimeForInput)
        lane.spendOnInput(executor.quantum)
        #expect(!lane.hasTimeForInput)
      }.get()
      let after = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[Bool], any Error>) in
        executor.loop.execute {
          executor.afterPoll {
            var had = [lane.hasTimeForInput]
            // Without a source, as a turn does.
            lane.spendOnInput(executor.quantum)
            had.append(lane.hasTimeForInput)
            continuation.resume(returning: had)
          }
        }
      }
      #expect(after == [true, false])
    }
  }

  @Test(
    "work that waits for input lets the loop look at its sockets in between, however long it goes on once it has asked",
    arguments: [0, 1_000])
  func afterPoll(microseconds: UInt32) async throws {
    try await withLoop { executor in
      let isOver = Atomic(false)
      @Sendable func spin() {
        guard !isOver.load(ordering: .relaxed) else { return }
        executor.afterPoll(spin)
        usleep(microseconds)
      }
      executor.loop.execute { spin() }
      try await useSockets(of: executor)
      isOver.store(true, ordering: .relaxed)
    }
  }
}

private final class Source: Sendable {}
