import NIOCore
import Testing

@testable import TTRPC
@testable import TTRPCClient
@testable import TTRPCFrames

@Suite("rotation and retries")
struct ClientRetryPolicyTests {
  @Test("members take turns, and those who may not are passed over")
  func turns() {
    var rotation = RoundRobin(["a", "b", "c"])
    let all = (0..<6).compactMap { _ in rotation.next { _ in true } }
    #expect(Set(all[..<3]) == ["a", "b", "c"] && all[..<3] == all[3...])
    let some = (0..<4).compactMap { _ in rotation.next { $0 != "b" } }
    #expect(Set(some[..<2]) == ["a", "c"] && some[..<2] == some[2...])
    #expect(rotation.next { _ in false } == nil)
    rotation.members = []
    #expect(rotation.next { _ in true } == nil)
  }

  @Test("a budget allows repetitions for half of its tokens, and then for a part of what succeeds")
  func budget() {
    let budget = RetryBudget(tokens: 10, tokensPerSuccess: 0.5)
    #expect((0..<8).map { _ in budget.failed() } == [true, true, true, true, false, false, false, false])
    for _ in 0..<9 { budget.succeeded() }
    #expect(budget.failed())
    #expect(!budget.failed())
    for _ in 0..<1_000 { budget.succeeded() }
    #expect((0..<5).map { _ in budget.failed() } == [true, true, true, true, false])
  }

  // MARK: What is repeated

  private let unavailable = Status(.unavailable, "away")

  private func retry(
    _ method: MethodDescriptor, deadline: NIODeadline? = nil, _ policy: RetryPolicy = RetryPolicy(), budget: Int = 100
  ) -> Retry {
    Retry(method, deadline, policy, RetryBudget(tokens: budget, tokensPerSuccess: 0))
  }

  private func isRepeated(_ error: any Error, _ retry: Retry) -> Bool {
    var retry = retry
    do { _ = try retry.delay(after: error, chance: 0.5) } catch { return false }
    return true
  }

  private static let other = MethodDescriptor(
    service: "echo.v1.Echo", name: "Unary", kind: .unary, access: .public, idempotent: false)

  @Test("what may have run is repeated only for an idempotent method")
  func mayHaveRun() {
    for error in [unavailable, AttemptFailure(status: unavailable, fate: .unknown)] as [any Error] {
      #expect(isRepeated(error, retry(.repeatable)))
      #expect(!isRepeated(error, retry(Self.other)))
    }
  }

  @Test("what no server began is repeated for any method, whatever the budget")
  func notBegun() {
    #expect(isRepeated(AttemptFailure(status: unavailable, fate: .notBegun), retry(Self.other, budget: 0)))
    #expect(isRepeated(Status.draining, retry(Self.other)))
  }

  @Test("no other failure is repeated, nor any when the budget is spent")
  func notRepeated() {
    for code in Code.allCases where code != .unavailable {
      #expect(!isRepeated(Status(code, "no"), retry(.repeatable)), "\(code)")
    }
    #expect(!isRepeated(CancellationError(), retry(.repeatable)))
    #expect(!isRepeated(unavailable, retry(.repeatable, budget: 0)))
  }

  @Test("the server's wait is kept, unless it is too long or ends after the deadline")
  func serversWait() throws {
    var first = retry(.repeatable)
    let wait = try first.delay(after: Status.unavailable("away", retryAfter: .seconds(2)), chance: 0.5)
    #expect(wait >= .seconds(2) && wait < .seconds(3))
    #expect(!isRepeated(Status.unavailable("away", retryAfter: .seconds(6)), retry(.repeatable)))
    let soon = retry(.repeatable, deadline: .now() + .seconds(1))
    #expect(!isRepeated(Status.unavailable("away", retryAfter: .seconds(2)), soon))
  }

  @Test("attempts are counted")
  func attempts() throws {
    var policy = RetryPolicy()
    policy.attempts = 3
    var retry = retry(.repeatable, policy)
    _ = try retry.delay(after: unavailable, chance: 0)
    _ = try retry.delay(after: unavailable, chance: 0)
    #expect(throws: unavailable) { _ = try retry.delay(after: self.unavailable, chance: 0) }
  }
}
