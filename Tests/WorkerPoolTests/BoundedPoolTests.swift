import Dispatch
import Foundation
import Synchronization
import Testing
import WorkerPool

@Suite struct BoundedPoolTests {
  @Test("no more work runs at a time than there are workers, and all of it runs")
  func width() async throws {
    let pool = BoundedPool(label: "test", workers: 3, places: 200)
    let crowd = Crowd()
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...200 {
        group.addTask {
          try await pool.run {
            crowd.enter()
            for _ in 0..<1_000 { _ = crowd.most }
            crowd.leave()
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 20_100)
    #expect((1...3).contains(crowd.most))
  }

  @Test(
    "a pool whose workers all compute takes none of another's, however few cores there are", .timeLimit(.minutes(5)))
  func threads() async throws {
    let count = 2 * ProcessInfo.processInfo.processorCount
    let busy = BoundedPool(label: "busy", workers: count, places: 0)
    let other = BoundedPool(label: "other", workers: 1, places: 0)
    let (running, isOver) = (Shared(Atomic(0)), Shared(Atomic(false)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { isOver.value.store(true, ordering: .relaxed) }
      for _ in 0..<count {
        group.addTask {
          try await busy.run {
            running.value.add(1, ordering: .relaxed)
            while !isOver.value.load(ordering: .relaxed) {}
          }
        }
      }
      while running.value.load(ordering: .relaxed) < count {
        try Task.checkCancellation()
        await Task.yield()
      }
      #expect(try await other.run { 1 } == 1)
      isOver.value.store(true, ordering: .relaxed)
      try await group.waitForAll()
    }
  }

  @Test("when every place is taken the next call is told so at once")
  func overload() async throws {
    let pool = BoundedPool(label: "test", workers: 1, places: 1)
    let gate = Gate()
    async let first: Void = pool.run { gate.wait() }
    await gate.entered()
    async let second: Int = pool.run { 2 }
    while pool.waitingCount == 0 { await Task.yield() }
    await #expect(throws: BoundedPool.Overloaded.self) { try await pool.run { 3 } }
    gate.open()
    try await first
    #expect(try await second == 2)
    #expect(try await pool.run { 4 } == 4)
  }

  @Test("a flood in the narrow lane takes its share of the workers, and the wide lane has the others at once")
  func share() async throws {
    let pool = BoundedPool(label: "test", workers: 4, places: 8, narrowWorkers: 1, narrowPlaces: 8)
    let (gate, crowd) = (Gate(), Crowd())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await pool.run(.narrow) {
          crowd.enter()
          gate.wait()
          crowd.leave()
        }
      }
      await gate.entered()
      for _ in 0..<8 {
        group.addTask {
          try await pool.run(.narrow) {
            crowd.enter()
            crowd.leave()
          }
        }
      }
      while pool.waitingCount < 8 { await Task.yield() }
      await #expect(throws: BoundedPool.Overloaded.self) { try await pool.run(.narrow) {} }

      // They would wait forever for a worker that a waiting registration had taken.
      for number in 0..<32 { #expect(try await pool.run { number } == number) }

      #expect(pool.waitingCount == 8)
      gate.open()
      try await group.waitForAll()
    }
    #expect(crowd.most == 1 && pool.waitingCount == 0)
  }

  @Test("where both lanes wait for one worker they take turns")
  func turns() async throws {
    let pool = BoundedPool(label: "test", workers: 1, places: 8, narrowWorkers: 1, narrowPlaces: 8)
    let (gate, done) = (Gate(), Order<BoundedPool.Lane>())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run(.narrow) { gate.wait() } }
      await gate.entered()
      for (lane, count) in [(BoundedPool.Lane.narrow, 6), (.wide, 3)] {
        let waiting = pool.waitingCount
        for _ in 0..<count { group.addTask { try await pool.run(lane) { done.note(lane) } } }
        while pool.waitingCount < waiting + count { await Task.yield() }
      }
      gate.open()
      try await group.waitForAll()
    }
    #expect(done.all == [.wide, .narrow, .wide, .narrow, .wide, .narrow, .narrow, .narrow, .narrow])
  }

  @Test(
    "one client has half of the workers at most, and another finds one free",
    arguments: [(2, 1), (3, 1), (4, 2), (5, 2)])
  func shareOfOne(workers: Int, share: Int) async throws {
    let pool = BoundedPool(label: "test", workers: workers, places: 64)
    let (gate, crowd) = (Gate(), Crowd())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await pool.run(for: "busy") {
            crowd.enter()
            gate.wait()
            crowd.leave()
          }
        }
      }
      await gate.entered(by: share)
      while pool.waitingCount < 8 - share { await Task.yield() }

      // They would wait forever for a worker that the first has.
      for number in 0..<32 { #expect(try await pool.run(for: "quiet") { number } == number) }
      #expect(try await pool.run { "the suite's own" } == "the suite's own")

      #expect(pool.waitingCount == 8 - share)
      for _ in 0..<8 { gate.open() }
      try await group.waitForAll()
    }
    #expect(crowd.most == share)
  }

  @Test("those for whom work waits take turns, however much waits for one of them")
  func turnsOfClients() async throws {
    let pool = BoundedPool(label: "test", workers: 1, places: 16)
    let (gate, done) = (Gate(), Order<String>())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run { gate.wait() } }
      await gate.entered()
      for (client, count) in [("many", 5), ("few", 2), ("one", 1)] {
        let waiting = pool.waitingCount
        for _ in 0..<count { group.addTask { try await pool.run(for: client) { done.note(client) } } }
        while pool.waitingCount < waiting + count { await Task.yield() }
      }
      gate.open()
      try await group.waitForAll()
    }
    #expect(done.all == ["many", "few", "one", "many", "few", "many", "many", "many"])
  }

  @Test("where all places are taken, whoever has most loses one to who comes with none")
  func placesOfOne() async throws {
    let pool = BoundedPool(label: "test", workers: 1, places: 4)
    let (gate, done) = (Gate(), Order<String>())
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await pool.run { gate.wait() }
        return true
      }
      await gate.entered()
      for _ in 0..<4 {
        group.addTask {
          do { try await pool.run(for: "many") { done.note("many") } } catch is BoundedPool.Overloaded { return false }
          return true
        }
      }
      while pool.waitingCount < 4 { await Task.yield() }
      await #expect(throws: BoundedPool.Overloaded.self) { try await pool.run(for: "many") {} }
      #expect(throws: BoundedPool.Overloaded.self) { try pool.requirePlace(for: "many") }
      #expect(throws: Never.self) { try pool.requirePlace(for: "newcomer") }

      group.addTask {
        try await pool.run(for: "newcomer") { done.note("newcomer") }
        return true
      }
      // The one that lost its place ends while all the others wait.
      #expect(try await group.next() == false)
      gate.open()
      let done = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      #expect(done == 5)
    }
    #expect(done.all == ["many", "newcomer", "many", "many"])
  }

  @Test("a call that is cancelled while it waits leaves its place and never runs")
  func cancellation() async throws {
    let pool = BoundedPool(label: "test", workers: 1, places: 1)
    let (gate, crowd) = (Gate(), Crowd())
    async let first: Void = pool.run { gate.wait() }
    await gate.entered()
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await wasCancelled { try await pool.run { crowd.enter() } } }
      while pool.waitingCount == 0 { await Task.yield() }
      group.cancelAll()
      #expect(await group.next() == true)
    }
    #expect(pool.waitingCount == 0)
    gate.open()
    try await first
    try await pool.run {}
    #expect(crowd.most == 0)
  }

  @Test("a call that is cancelled before it comes never waits")
  func cancelledBefore() async {
    let pool = BoundedPool(label: "test", workers: 1, places: 1)
    await withTaskGroup(of: Bool.self) { group in
      group.cancelAll()
      group.addTask { await wasCancelled { try await pool.run {} } }
      #expect(await group.next() == true)
    }
  }

  @Test("what work throws reaches its caller, and the worker goes on")
  func failure() async throws {
    struct Oops: Error {}
    let pool = BoundedPool(label: "test", workers: 1, places: 1)
    await #expect(throws: Oops.self) { try await pool.run { throw Oops() } }
    #expect(try await pool.run { 1 } == 1)
  }
}

private func wasCancelled(_ call: () async throws -> Void) async -> Bool {
  do {
    try await call()
    return false
  } catch {
    return error is CancellationError
  }
}

/// Counts the calls that are inside at the same time.
private final class Crowd: Sendable {
  private let present = Atomic(0)
  private let highest = Atomic(0)

  var most: Int { highest.load(ordering: .relaxed) }

  func enter() { highest.max(present.add(1, ordering: .relaxed).newValue, ordering: .relaxed) }

  func leave() { present.subtract(1, ordering: .relaxed) }
}

/// Records whose work was done when.
private final class Order<Element: Sendable>: Sendable {
  private let noted = Mutex<[Element]>([])

  var all: [Element] { noted.withLock { $0 } }

  func note(_ element: Element) { noted.withLock { $0.append(element) } }
}

/// Something that several tasks have to do with.
private final class Shared<Value: ~Copyable & Sendable>: Sendable {
  let value: Value

  init(_ value: consuming Value) { self.value = value }
}

/// Holds workers until the test lets them go.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let entries = Atomic(0)

  func wait() {
    entries.add(1, ordering: .releasing)
    semaphore.wait()
  }

  func open() { semaphore.signal() }

  /// Returns once that many workers are held, or were.
  func entered(by count: Int = 1) async {
    while entries.load(ordering: .acquiring) < count { await Task.yield() }
  }
}
