import IdentityDomain
import Identifiers
import Testing

private let start = Instant(microseconds: 1_700_000_000_000_000)

@Suite struct VerificationTests {
  @Test("[ID-4] a second mail waits until 60 s after the first")
  func cooldown() {
    let refusal = { (now: Instant) in Verification.resendRefusal(lastSent: start, now: now) }
    #expect(refusal(start) == .tooSoon(retryAfter: .seconds(60)))
    #expect(refusal(start + .milliseconds(59_999)) == .tooSoon(retryAfter: .milliseconds(1)))
    #expect(refusal(start + .seconds(60)) == nil)
    #expect(Verification.resendRefusal(lastSent: nil, now: start) == nil)
  }

  @Test("[ID-4] a clock that was set back does not lengthen the wait")
  func clockSetBack() {
    let refusal = Verification.resendRefusal(lastSent: start, now: start - .seconds(3_600))
    #expect(refusal == .tooSoon(retryAfter: .seconds(60)))
  }

  @Test("[ID-4] a verification token works once and for 24 h")
  func token() {
    #expect(Verification.refusal(issuedAt: start, usedAt: nil, now: start + .seconds(86_399)) == nil)
    #expect(Verification.refusal(issuedAt: start, usedAt: nil, now: start + .seconds(86_400)) == .expired)
    #expect(Verification.refusal(issuedAt: start, usedAt: start, now: start) == .used)
  }

  @Test("[ID-1] an unverified account holds its names for 7 days, a verified one always")
  func lapse() {
    let week = Duration.seconds(7 * 86_400)
    #expect(Verification.holdsNames(registeredAt: start, verifiedAt: nil, now: start + week - .seconds(1)))
    #expect(!Verification.holdsNames(registeredAt: start, verifiedAt: nil, now: start + week))
    #expect(Verification.holdsNames(registeredAt: start, verifiedAt: start, now: start + week + week))
  }
}

@Suite struct RefreshTests {
  private let request = UUID7(high: 1, low: 1)
  private let other = UUID7(high: 2, low: 2)

  @Test("[ID-6] the first use within 30 days rotates the token")
  func firstUse() {
    let facts = RefreshDecision.Facts(begunAt: start, issuedAt: start)
    #expect(RefreshDecision.of(facts, requestID: nil, now: start) == .rotate)
    #expect(RefreshDecision.of(facts, requestID: request, now: start + .seconds(30 * 86_400 - 1)) == .rotate)
    #expect(RefreshDecision.of(facts, requestID: nil, now: start + .seconds(30 * 86_400)) == .refuse)
  }

  @Test("[ID-6] no use rotates a token 180 days after the login, and none is given out for longer")
  func age() {
    let end = start + .seconds(180 * 86_400)
    let facts = RefreshDecision.Facts(begunAt: start, issuedAt: end - .seconds(86_400))
    #expect(RefreshDecision.of(facts, requestID: nil, now: end - .seconds(1)) == .rotate)
    #expect(RefreshDecision.of(facts, requestID: nil, now: end) == .refuse)
    #expect(SessionAge.end(of: start, usedAt: start) == start + .seconds(30 * 86_400))
    #expect(SessionAge.end(of: start, usedAt: end - .seconds(86_400)) == end)
  }

  @Test("[ID-6] any later use ends the session, even when the token would have expired")
  func reuse() {
    let facts = RefreshDecision.Facts(begunAt: start, issuedAt: start, use: .init(at: start, requestID: request))
    #expect(RefreshDecision.of(facts, requestID: nil, now: start) == .endSession)
    #expect(RefreshDecision.of(facts, requestID: other, now: start + .seconds(1)) == .endSession)
    #expect(RefreshDecision.of(facts, requestID: other, now: start + .seconds(40 * 86_400)) == .endSession)
    let unnamed = RefreshDecision.Facts(begunAt: start, issuedAt: start, use: .init(at: start, requestID: nil))
    #expect(RefreshDecision.of(unnamed, requestID: nil, now: start) == .endSession)
  }

  @Test("[ID-6] a client that lost the answer gets it again within 60 s for the same request id")
  func repetition() {
    let facts = RefreshDecision.Facts(begunAt: start, issuedAt: start, use: .init(at: start, requestID: request))
    #expect(RefreshDecision.of(facts, requestID: request, now: start + .seconds(60)) == .repeatAnswer)
    #expect(RefreshDecision.of(facts, requestID: request, now: start + .milliseconds(60_001)) == .endSession)
  }

  @Test("[ID-7] a session that was ended refuses its tokens, used or not")
  func ended() {
    let facts = RefreshDecision.Facts(begunAt: start, issuedAt: start, sessionEndedAt: start)
    #expect(RefreshDecision.of(facts, requestID: nil, now: start) == .refuse)
    let used = RefreshDecision.Facts(
      begunAt: start, issuedAt: start, use: .init(at: start, requestID: request), sessionEndedAt: start)
    #expect(RefreshDecision.of(used, requestID: request, now: start) == .refuse)
  }
}
