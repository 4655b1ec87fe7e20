import EchoV1
import LoopExecutor
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCClient
@testable import TTRPCFrames

@Suite("Repeating calls", .timeLimit(.minutes(5)))
struct ClientRetryTests {
  private let away = Status(.unavailable, "away")

  /// Fails the first `count` calls.
  private func failing(_ count: Int, _ reaction: ScriptedPeer.Reaction) -> ScriptedPeer.Script {
    let left = Box(count)
    return { _ in left.takeOne() ? reaction : .answer(Msg(value: "ok")) }
  }

  private final class Box: Sendable {
    private let count: Mutex<Int>
    init(_ count: Int) { self.count = Mutex(count) }
    func takeOne() -> Bool {
      count.withLock { count in
        count -= 1
        return count >= 0
      }
    }
  }

  @Test("UNAVAILABLE is repeated for an idempotent method")
  func idempotent() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer(script: failing(3, .fail(away)))
      let client = fixture.client([peer.address], .repeating)
      #expect(try await client.ask("", .repeatable) == "ok")
      #expect(peer.calls.count == 4)
    }
  }

  @Test("another method's UNAVAILABLE, and any other code, is the caller's at once")
  func notRepeated() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer(script: failing(1, .fail(away)))
      let client = fixture.client([peer.address], .repeating)
      #expect(try await client.refusal() == away)
      #expect(peer.calls.count == 1)
      let full = try await fixture.peer(script: failing(1, .fail(Status(.resourceExhausted, "full"))))
      let other = fixture.client([full.address], .repeating)
      #expect(try await other.refusal(.repeatable).code == .resourceExhausted)
      #expect(full.calls.count == 1)
    }
  }

  @Test("a call whose connection broke is repeated only for an idempotent method")
  func lost() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer(script: failing(1, .hangUp))
      let client = fixture.client([peer.address], .repeating)
      #expect(try await client.ask("", .repeatable) == "ok")
      #expect(peer.calls.count == 2)
      let other = try await fixture.peer(script: failing(1, .hangUp))
      #expect(try await fixture.client([other.address], .repeating).refusal().code == .unavailable)
      #expect(other.calls.count == 1)
    }
  }

  @Test("a call that a draining server refused goes to another, whatever its method")
  func draining() async throws {
    try await ClientFixture.run { fixture in
      let draining = try await fixture.peer { _ in .fail(.draining) }
      let other = try await fixture.peer()
      var settings = RPCClient.Settings.patient
      settings.healthCheck = nil
      let client = fixture.client([draining.address, other.address], settings)
      let wasAsked = try await eventually {
        let answer = try await client.ask()
        #expect(answer == "ok")
        return !draining.calls.isEmpty
      }
      #expect(wasAsked)
      for _ in 0..<10 { #expect(try await client.ask() == "ok") }
      #expect(draining.calls.count == 1)
    }
  }

  @Test("a call that never had a connection is repeated for any method")
  func neverSent() async throws {
    try await ClientFixture.run { fixture in
      let address = try fixture.vacancy()
      var settings = RPCClient.Settings.repeating
      settings.retry.attempts = 10_000
      let client = fixture.client([address], settings)
      async let answer = client.ask()
      for _ in 0..<3 { #expect(try await fixture.client([address]).refusal().code == .unavailable) }
      let peer = try await fixture.peer(address)
      #expect(try await answer == "ok")
      #expect(peer.calls.count == 1)
    }
  }

  @Test("a stream that could not be opened is tried again, one that was open never")
  func streams() async throws {
    try await ClientFixture.run { fixture in
      let address = try fixture.vacancy()
      var settings = RPCClient.Settings.repeating
      settings.retry.attempts = 10_000
      let client = fixture.client([address], settings)
      let runs = Mutex(0)
      async let status = Self.failure {
        try await EchoClient(client).expand(Msg()) { responses in
          runs.withLock { $0 += 1 }
          for try await _ in responses {}
        }
      }
      let peer = try await fixture.peer(address) { _ in .hangUp }
      #expect(try await status.code == .unavailable)
      #expect(runs.withLock { $0 } == 1)
      #expect(peer.calls.count == 1)
    }
  }

  private static func failure(_ body: () async throws -> Void) async throws -> Status {
    do { try await body() } catch let status as Status { return status }
    return Status(.ok, "")
  }

  @Test("an outage is not multiplied: the budget ends the repetitions")
  func budget() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .fail(Status(.unavailable, "away")) }
      var settings = RPCClient.Settings.repeating
      settings.retry.budget = 20
      let client = fixture.client([peer.address], settings)
      for _ in 0..<100 { #expect(try await client.refusal(.repeatable).code == .unavailable) }
      // Three calls spend half of the budget by nine failures and a tenth, of which two were each a call's fourth and last.
      #expect(peer.calls.count == 107)
    }
  }

  @Test("the deadline covers all attempts, and each is told what is left")
  func deadline() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .fail(.unavailable("away", retryAfter: .milliseconds(15))) }
      var settings = RPCClient.Settings.repeating
      settings.retry.attempts = 1_000
      let client = fixture.client([peer.address], settings)
      let status = try await client.refusal(.repeatable, CallOptions(timeout: .milliseconds(100)))
      #expect([.unavailable, .deadlineExceeded].contains(status.code))
      let left = peer.calls.map(\.request.timeoutNano)
      #expect(left.count < 8)
      #expect(left == left.sorted(by: >) && Set(left).count == left.count)
      #expect(left.allSatisfy { $0 > 0 && $0 <= 100_000_000 })
    }
  }
}
