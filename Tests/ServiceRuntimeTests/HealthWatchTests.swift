import GRPCHealth
import Synchronization
import TTRPC
import TestSupport
import Testing

@testable import ServiceRuntime

extension ServiceHostTests {
  typealias Serving = HealthCheckResponse.ServingStatus

  private func expect(
    _ status: Serving, from answers: inout MessageStream<HealthCheckResponse>.Iterator
  ) async throws {
    let next = try await answers.next()?.status
    #expect(next == status)
  }

  @Test("who watches health is told at once, again when the database goes away and when it is back, and nothing else")
  func watchTheDatabase() async throws {
    let cluster = try PrivateCluster.start()
    try await withProbe(cluster.url) { host, client in
      #expect(await host.becameReady)
      try await HealthClient(client).watch(HealthCheckRequest(service: "test.v1.Probe")) { answers in
        var iterator = answers.makeAsyncIterator()
        try await expect(.serving, from: &iterator)
        try cluster.stopServer(mode: "immediate")
        try await expect(.notServing, from: &iterator)
        try cluster.startServer()
        try await expect(.serving, from: &iterator)
      }
      try await HealthClient(client).watch(HealthCheckRequest(service: "test.v1.Nothing")) { answers in
        var iterator = answers.makeAsyncIterator()
        try await expect(.serviceUnknown, from: &iterator)
      }
    }
  }
}

@Suite("Watching readiness", .timeLimit(.minutes(5)))
struct ReadinessObservationTests {
  /// Readiness that a test turns on and off, with a count of the looks at it.
  private final class Switch: Sendable {
    let isWell = Atomic(true)
    let looks = Atomic(0)
    let readiness = Readiness()

    init() {
      readiness.add("switch") { [unowned self] in
        looks.add(1, ordering: .relaxed)
        return isWell.load(ordering: .relaxed) ? nil : "off"
      }
    }
  }

  @Test("a hundred watchers cost what one costs, and all see every change")
  func shared() async throws {
    let check = Switch()
    let began = ContinuousClock.now
    let observation = ReadinessObservation(check.readiness, every: .milliseconds(20))
    let running = Task { try await observation.run() }
    let streams = (0..<100).map { _ in observation.statuses() }
    var iterators = streams.map { $0.makeAsyncIterator() }
    for expected in [HealthCheckResponse.ServingStatus.serving, .notServing, .serving] {
      check.isWell.store(expected == .serving, ordering: .relaxed)
      for index in iterators.indices { #expect(await iterators[index].next() == expected) }
      let late = observation.statuses()
      var iterator = late.makeAsyncIterator()
      #expect(await iterator.next() == expected)
    }
    // One in each interval, however long it took, and not a hundred.
    let looks = Double(check.looks.load(ordering: .relaxed))
    #expect(looks <= (began.duration(to: .now) / .milliseconds(20)).rounded(.up) + 10)
    running.cancel()
    try await running.value
    for index in iterators.indices { #expect(await iterators[index].next() == nil) }
    for await _ in observation.statuses() { Issue.record("nothing is seen after the end") }
  }

  @Test("to ask a thousand times costs a look in each interval, and a change is told by the next")
  func asked() async throws {
    let check = Switch()
    let began = ContinuousClock.now
    let observation = ReadinessObservation(check.readiness, every: .milliseconds(20))
    let running = Task { try await observation.run() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          for _ in 0..<100 { #expect(await observation.status() == .serving) }
        }
      }
    }
    let looks = Double(check.looks.load(ordering: .relaxed))
    #expect(looks <= (began.duration(to: .now) / .milliseconds(20)).rounded(.up) + 10)
    for expected in [HealthCheckResponse.ServingStatus.notServing, .serving] {
      check.isWell.store(expected == .serving, ordering: .relaxed)
      try await until("the change is told") { await observation.status() == expected }
    }
    running.cancel()
    try await running.value
    #expect(await observation.status() == .notServing)
  }
}
