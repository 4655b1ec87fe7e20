import Identifiers
import StreamPlaces
import Synchronization
import Telemetry
import TestServices
import TestSupport
import Testing

@Suite("how many streams begin at a time", .timeLimit(.minutes(5)))
struct StreamOpeningsTests {
  private let metrics = PrometheusRegistry()

  /// How many streams wait for their turn, as an operator sees it.
  private var waiting: Int? {
    metrics.exposition().split(separator: "\n").first { $0.hasPrefix("stream_openings_waiting{") }
      .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }.map { Int($0) }
  }

  @Test("29 A12: of 400 streams that begin at once four read at a time, and all begin")
  func limited() async throws {
    let openings = StreamOpenings("test", limit: 4)
    let reading = Reading()
    try await withThrowingTaskGroup(of: Void.self) { streams in
      for number in 0..<400 {
        streams.addTask {
          try await openings.inTurn(of: TestUser.one(number % 20).id) {
            reading.begin()
            // The first ones wait until four read at once, which they never would if one read at a time.
            while reading.most < 4 { await Task.yield() }
            reading.end()
          }
        }
      }
      try await streams.waitForAll()
    }
    #expect(reading.most == 4 && reading.count == 400)
  }

  @Test(
    "29 A12: a user who begins a hundred streams holds up none of another, and one that ends while it waits leaves the line"
  )
  func shared() async throws {
    let openings = StreamOpenings("test", limit: 1, factory: metrics)
    let (order, first) = (Gathered<UserID>(), Gathered<Bool>())
    let released = Gathered<Bool>()
    try await withThrowingTaskGroup(of: Void.self) { streams in
      streams.addTask {
        try await openings.inTurn(of: TestUser.ada.id) {
          first.add(true)
          while released.all.isEmpty { await Task.yield() }
        }
      }
      try await until("the first begins") { !first.all.isEmpty }
      for _ in 0..<100 {
        streams.addTask { try await openings.inTurn(of: TestUser.ada.id) { order.add(TestUser.ada.id) } }
      }
      try await until("they wait") { waiting == 100 }
      let ended = Task { try await openings.inTurn(of: TestUser.one(1).id) { order.add(TestUser.one(1).id) } }
      try await until("one more waits") { waiting == 101 }
      ended.cancel()
      await #expect(throws: CancellationError.self) { try await ended.value }
      streams.addTask { try await openings.inTurn(of: TestUser.grace.id) { order.add(TestUser.grace.id) } }
      try await until("the last waits") { waiting == 101 }
      released.add(true)
      try await streams.waitForAll()
    }
    #expect(order.all.count == 101 && order.all.firstIndex(of: TestUser.grace.id).map { $0 <= 1 } == true)
  }
}

extension StreamOpeningsTests {
  @Test("29 A12: of sixteen places one user has two, however many streams of theirs begin, and another begins at once")
  func limitedByUser() async throws {
    let openings = StreamOpenings("test", limit: 16, factory: metrics)
    let (reading, released) = (Reading(), Gathered<Bool>())
    try await withThrowingTaskGroup(of: Void.self) { streams in
      for _ in 0..<20 {
        streams.addTask {
          try await openings.inTurn(of: TestUser.ada.id) {
            reading.begin()
            while released.all.isEmpty { await Task.yield() }
            reading.end()
          }
        }
      }
      try await until("the others wait") { waiting == 18 }
      #expect(reading.count == 2)
      try await openings.inTurn(of: TestUser.grace.id) {}
      released.add(true)
      try await streams.waitForAll()
    }
    #expect(reading.most == 2 && reading.count == 20)
  }

  @Test(
    "29 A12: what throws gives its place back; whose turn comes too late is refused, so that its client comes again")
  func givenBack() async throws {
    let openings = StreamOpenings("test", limit: 1, patience: .zero, factory: metrics)
    let (first, released) = (Gathered<Bool>(), Gathered<Bool>())
    try await withThrowingTaskGroup(of: Void.self) { streams in
      streams.addTask {
        await #expect(throws: CancellationError.self) {
          try await openings.inTurn(of: TestUser.ada.id) {
            first.add(true)
            while released.all.isEmpty { await Task.yield() }
            throw CancellationError()
          }
        }
      }
      try await until("the first begins") { !first.all.isEmpty }
      streams.addTask {
        let refused = await #expect(throws: StreamOpenings.Overloaded.self) {
          try await openings.inTurn(of: TestUser.grace.id) {}
        }
        #expect(refused?.status.errorInfo?.reason == "OVERLOADED")
      }
      try await until("the other waits") { waiting == 1 }
      released.add(true)
      try await streams.waitForAll()
    }
    try await openings.inTurn(of: TestUser.grace.id) {}
  }
}

/// How many read at a time.
private final class Reading: Sendable {
  private let state = Mutex((now: 0, most: 0, count: 0))

  var most: Int { state.withLock { $0.most } }
  var count: Int { state.withLock { $0.count } }

  func begin() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.count + 1) } }
  func end() { state.withLock { $0.now -= 1 } }
}
