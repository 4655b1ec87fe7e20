import Cryptography
import Dispatch
import Synchronization
import Testing

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

/// Counts who is in at a time.
private final class Crowd: Sendable {
  private let present = Atomic(0)
  private let highest = Atomic(0)

  var most: Int { highest.load(ordering: .relaxed) }

  func enter() { highest.max(present.add(1, ordering: .relaxed).newValue, ordering: .relaxed) }

  func leave() { present.subtract(1, ordering: .relaxed) }
}

/// Holds a worker until the test lets it go.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let isEntered = Atomic(false)

  func wait() {
    isEntered.store(true, ordering: .releasing)
    semaphore.wait()
  }

  func open() { semaphore.signal() }

  func entered() async {
    while !isEntered.load(ordering: .acquiring) { await Task.yield() }
  }
}
