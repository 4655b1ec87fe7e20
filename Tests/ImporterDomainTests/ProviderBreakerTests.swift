import Identifiers
import ImporterDomain
import Testing

@Suite("breakers of providers")
struct ProviderBreakerTests {
  private let now = Instant(microseconds: 1_750_000_000_000_000)

  /// A breaker after ten failures in a row.
  private var opened: ProviderBreaker {
    var breaker = ProviderBreaker()
    for _ in 0..<10 { _ = breaker.fail(.usual, at: now) }
    return breaker
  }

  @Test("[IM-5] 29 A11: nine failures in a row leave a breaker closed, the tenth opens it for 30 s")
  func opens() {
    var breaker = ProviderBreaker()
    for _ in 0..<9 {
      let isOpen = breaker.fail(.usual, at: now)
      #expect(!isOpen && breaker.admission(at: now) == .admitted)
    }
    let isOpen = breaker.fail(.usual, at: now)
    #expect(isOpen && breaker.admission(at: now) == .refused(until: now + .seconds(30)))
    #expect(breaker.admission(at: now + .seconds(30)) == .probe)
  }

  @Test("[IM-5] 29 A11: requests that were on their way when a breaker opened do not keep it open for longer")
  func stragglers() {
    var breaker = opened
    for _ in 0..<20 {
      let isOpen = breaker.fail(.usual, at: now + .seconds(20))
      #expect(!isOpen)
    }
    #expect(breaker == opened)
  }

  @Test("[IM-5] 29 A11: each probe in vain doubles the pause, up to ten minutes, however many there are")
  func probes() {
    var breaker = opened
    for seconds in [60, 120, 240, 480, 600, 600] {
      let isOpen = breaker.fail(.probe, at: now)
      #expect(isOpen && breaker.openUntil == now + .seconds(seconds))
    }
    var old = ProviderBreaker(failures: .max, openUntil: now)
    let isOpen = old.fail(.probe, at: now)
    #expect(isOpen && old.failures == .max && old.openUntil == now + .seconds(600))
  }
}
