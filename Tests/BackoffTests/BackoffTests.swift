import Backoff
import Testing

@Suite("waits between attempts")
struct BackoffTests {
  @Test("grow up to the maximum, and begin anew after a success")
  func growth() {
    var backoff = Backoff(first: .milliseconds(10), max: .milliseconds(50), jitter: 0)
    #expect((1...5).map { backoff.delay(after: $0) } == [10, 20, 40, 50, 50].map { .milliseconds($0) })
    #expect(backoff.delay(after: .max) == .milliseconds(50))
    #expect(Backoff(first: .zero, max: .seconds(1)).delay(after: 5_000) == .zero)
    #expect(Backoff(first: .seconds(1), max: .seconds(1e12)).delay(after: 5_000) == .seconds(3e9))
    #expect((1...3).map { _ in backoff.next() } == [10, 20, 40].map { .milliseconds($0) })
    backoff.reset()
    #expect(backoff.next() == .milliseconds(10))
  }

  @Test("differ by the jitter, around the same middle")
  func jitter() {
    let backoff = Backoff(first: .milliseconds(10), max: .seconds(1))
    #expect([0, 0.5, 1].map { backoff.delay(after: 2, chance: $0) } == [16, 20, 24].map { .milliseconds($0) })
  }
}
