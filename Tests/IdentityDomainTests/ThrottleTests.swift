import IdentityDomain
import Identifiers
import Testing

private let start = Instant(microseconds: 1_700_000_000_000_000)

@Suite struct ThrottleTests {
  private let account = ThrottleKind.loginName.policy
  private let address = ThrottleKind.loginAddress.policy

  /// The record after attempts at these times.
  private func record(
    _ policy: ThrottlePolicy, from record: ThrottleRecord = ThrottleRecord(), at seconds: [Int]
  ) -> ThrottleRecord {
    seconds.reduce(record) { policy.counting($0, at: start + .seconds($1)) }
  }

  @Test("[ID-10] the fifth failure within 15 minutes locks an account for 15 minutes")
  func locks() {
    let four = record(account, at: [0, 1, 2, 899])
    #expect(account.wait(four, at: start + .seconds(899)) == nil)
    let five = record(account, from: four, at: [899])
    #expect(account.wait(five, at: start + .seconds(899)) == .seconds(900))
    #expect(account.wait(five, at: start + .seconds(1_798)) == .seconds(1))
    #expect(account.wait(five, at: start + .seconds(1_799)) == nil)
  }

  @Test("[ID-10] failures that are 15 minutes old do not count")
  func window() {
    let spread = record(account, at: [0, 300, 600, 899, 900, 1_200, 1_500])
    #expect(spread.lockedUntil == nil)
    #expect(account.wait(spread, at: start + .seconds(1_500)) == nil)
  }

  @Test("[ID-10] every further lock is twice as long, up to 24 hours")
  func doubles() {
    var (failed, now, minutes) = (ThrottleRecord(), start, [Int64]())
    for _ in 0..<10 {
      for _ in 0..<5 { failed = account.counting(failed, at: now) }
      guard let wait = account.wait(failed, at: now) else { break }
      minutes.append(wait.components.seconds / 60)
      now = now + wait
    }
    #expect(minutes == [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440, 1_440])
  }

  @Test("[ID-10] a day without a failure after a lock begins anew")
  func forgives() {
    let locked = record(account, at: [0, 0, 0, 0, 0])
    let (soon, late) = (900 + 86_399, 900 + 86_400)
    let again = record(account, from: locked, at: [soon, soon, soon, soon, soon])
    let anew = record(account, from: locked, at: [late, late, late, late, late])
    #expect(account.wait(again, at: start + .seconds(soon)) == .seconds(1_800))
    #expect(account.wait(anew, at: start + .seconds(late)) == .seconds(900))
    #expect(account.end(of: locked) == start + .seconds(late))
  }

  @Test("[ID-10] an address waits until the oldest of 50 failures is 15 minutes old")
  func slides() {
    let full = record(address, at: Array(0..<50))
    #expect(address.wait(record(address, at: Array(0..<49)), at: start + .seconds(49)) == nil)
    #expect(address.wait(full, at: start + .seconds(50)) == .seconds(850))
    #expect(address.wait(full, at: start + .seconds(900)) == nil)
    let next = address.counting(full, at: start + .seconds(900))
    #expect(next.attempts.count == 50 && address.wait(next, at: start + .seconds(900)) == .seconds(1))
    #expect(address.end(of: full) == start + .seconds(949))
  }

  @Test("[ID-10] a clock that was set back does not lengthen the wait")
  func clockSetBack() {
    let earlier = start - .seconds(1_000_000)
    #expect(account.wait(record(account, at: [0, 0, 0, 0, 0]), at: earlier) == .seconds(86_400))
    #expect(address.wait(record(address, at: Array(0..<50)), at: earlier) == .seconds(900))
  }

  @Test("[ID-17] what refills lets its number through at once, and then one for each share of the time")
  func refills() {
    let policy = ThrottlePolicy.refilling(30, in: .seconds(3_600))
    let full = record(policy, at: Array(repeating: 0, count: 30))

    #expect(policy.wait(record(policy, at: Array(repeating: 0, count: 29)), at: start) == nil)
    #expect(policy.wait(full, at: start) == .seconds(120))
    #expect(policy.wait(full, at: start + .seconds(119)) == .seconds(1))
    #expect(policy.wait(full, at: start + .seconds(120)) == nil)
    let again = record(policy, from: full, at: [120])
    #expect(policy.wait(again, at: start + .seconds(120)) == .seconds(120))
    #expect(policy.end(of: again) == start + .seconds(120 + 3_600))
    #expect(policy.wait(again, at: start + .seconds(3_720)) == nil)
    #expect(again.attempts.isEmpty)
  }

  @Test("[ID-17] a number that does not divide the time is let through whole")
  func roundedShares() {
    for limit in [1, 7, 13, 999, 1_000_000] {
      let policy = ThrottlePolicy.refilling(limit, in: .seconds(1))
      var (record, taken) = (ThrottleRecord(), 0)
      while taken <= limit, policy.wait(record, at: start) == nil {
        record = policy.counting(record, at: start)
        taken += 1
      }
      #expect(taken == limit)
    }
  }

  @Test("[ID-17] a clock that is set back makes nobody wait longer than for one share")
  func refillsAfterClockSetBack() {
    let policy = ThrottlePolicy.refilling(10, in: .seconds(100))
    let full = record(policy, at: Array(repeating: 86_400, count: 10))
    #expect(policy.wait(full, at: start) == .seconds(10))
  }

  @Test(
    "[ID-17] a limit is written as a number in a time", arguments: ["30/1h", "1/1s", "10000/5m", "1000000/7d", "7/90s"])
  func rates(text: String) {
    #expect(ThrottlePolicy(rate: text)?.rate == text)
  }

  @Test(
    "[ID-17] what is no limit is refused",
    arguments: [
      "", "30", "/1h", "0/1h", "-1/1h", "1/0h", "1/h", "1/8d", "1/1w", "1000001/1h", "1/1h/1h", "1/-1h", "1/1 h",
    ])
  func noRates(text: String) {
    #expect(ThrottlePolicy(rate: text) == nil)
  }
}

@Suite struct PasswordResetTests {
  @Test("[ID-8] a reset token works once and for 30 min")
  func token() {
    #expect(PasswordReset.refusal(issuedAt: start, usedAt: nil, now: start + .seconds(1_799)) == nil)
    #expect(PasswordReset.refusal(issuedAt: start, usedAt: nil, now: start + .seconds(1_800)) == .expired)
    #expect(PasswordReset.refusal(issuedAt: start, usedAt: start, now: start) == .used)
  }

  @Test("[ID-9] a password does not replace itself, however its letters are composed")
  func unchanged() throws {
    let (composed, decomposed) = (try #require(Password("na\u{EF}ve")), try #require(Password("nai\u{308}ve")))
    #expect(!PasswordReset.mayReplace(composed, by: decomposed))
    #expect(PasswordReset.mayReplace(composed, by: try #require(Password("naive"))))
  }
}
