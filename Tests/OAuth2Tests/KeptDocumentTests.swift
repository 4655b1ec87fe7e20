import Environment
import Identifiers
import Synchronization
import TestSupport
import Testing

@testable import OAuth2

@Suite("documents of servers", .timeLimit(.minutes(5)))
struct KeptDocumentTests {
  /// A server that counts requests, and fails on demand.
  private final class Server: Sendable {
    let asked = Atomic<Int>(0)
    let failure = Mutex<OAuth2Failure?>(nil)

    func document() throws(OAuth2Failure) -> Int {
      let count = asked.add(1, ordering: .relaxed).newValue
      if let failure = failure.withLock({ $0 }) { throw failure }
      return count
    }

    func kept(_ clock: ManualClock, after gate: Gate? = nil) -> KeptDocument<Int> {
      let terms = KeptDocument<Int>.Terms(
        lifetime: .seconds(100), maxUse: .seconds(1_000), pause: .seconds(10), pauseAfterFailure: .seconds(5))
      return KeptDocument(terms, clock: clock) { () async throws(OAuth2Failure) -> Int in
        await gate?.pass()
        return try self.document()
      }
    }
  }

  private static let away = OAuth2Failure.temporary(reason: "away", retryAfter: nil)

  @Test("dozens who want it at once have it fetched once")
  func singleFlight() async throws {
    let (server, clock, gate) = (Server(), ManualClock(), Gate())
    let document = server.kept(clock, after: gate)
    let found = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 { group.addTask { try await document.value() } }
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: 1, count: 64))
    #expect(server.asked.load(ordering: .relaxed) == 1)
  }

  @Test("it is fetched anew after its lifetime, and serves on for a while where that fails")
  func ages() async throws {
    let (server, clock) = (Server(), ManualClock())
    let document = server.kept(clock)
    #expect(try await document.value() == 1)
    clock.advance(by: .seconds(99))
    #expect(try await document.value() == 1)
    clock.advance(by: .seconds(1))
    #expect(try await document.value() == 2)
    server.failure.withLock { $0 = Self.away }
    clock.advance(by: .seconds(999))
    #expect(try await document.value() == 2)
    clock.advance(by: .seconds(5))
    await #expect(throws: Self.away) { try await document.value() }
    #expect(server.asked.load(ordering: .relaxed) == 4)
  }

  @Test("one that lacks something is fetched again, not more than once in a pause")
  func lacks() async throws {
    let (server, clock) = (Server(), ManualClock())
    let document = server.kept(clock)
    for _ in 0..<5 { #expect(try await document.value { $0 < 2 } == 1) }
    clock.advance(by: .seconds(10))
    for _ in 0..<5 { #expect(try await document.value { $0 < 2 } == 2) }
    #expect(server.asked.load(ordering: .relaxed) == 2)
  }

  @Test("a server that fails is left alone for a pause, or for as long as it asks")
  func fails() async throws {
    let (server, clock) = (Server(), ManualClock())
    let document = server.kept(clock)
    let busy = OAuth2Failure.temporary(reason: "busy", retryAfter: .seconds(30))
    server.failure.withLock { $0 = Self.away }
    for _ in 0..<3 { await #expect(throws: Self.away) { try await document.value() } }
    server.failure.withLock { $0 = busy }
    clock.advance(by: .seconds(5))
    for _ in 0..<3 { await #expect(throws: busy) { try await document.value() } }
    clock.advance(by: .seconds(29))
    await #expect(throws: busy) { try await document.value() }
    server.failure.withLock { $0 = nil }
    clock.advance(by: .seconds(1))
    #expect(try await document.value() == 3)
  }

  @Test("who is cancelled while it is fetched leaves that to the next")
  func cancelled() async throws {
    let (server, clock, gate) = (Server(), ManualClock(), Gate())
    let document = server.kept(clock, after: gate)
    server.failure.withLock { $0 = Self.away }
    let first = Task { try await document.value() }
    first.cancel()
    gate.open()
    await #expect(throws: Self.away) { try await first.value }
    server.failure.withLock { $0 = nil }
    #expect(try await document.value() == 2)
  }
}
