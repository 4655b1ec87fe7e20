import Identifiers
import TestSupport
import Testing

@testable import Cryptography

@Suite struct TokenVerifierTests {
  private let now = Instant(microseconds: 1_768_478_400_000_000)
  private let randomness = SeededRandomness(seed: 21)
  private let key: SigningKey

  init() throws {
    key = try SigningKey(randomness: randomness)
  }

  private func token(session: UUID7 = UUID7(high: 0, low: 9), lifetime: Duration = .seconds(600)) throws -> String {
    try AccessToken.sign(
      AccessClaims(
        subject: UUID7(high: 0, low: 1), session: session, tokenID: randomness.uuid7(at: now), issuedAt: now,
        expiresAt: now + lifetime, scope: "user"), for: .tandem, with: key)
  }

  @Test("[C-1] a remembered token still expires")
  func expiry() throws {
    let (verifier, token) = (TokenVerifier([key.verificationKey]), try token())
    let claims = try verifier.verify(token, at: now)
    #expect(try verifier.verify(token, at: now + .seconds(599)) == claims)
    #expect(throws: TokenRefusal.expired) { try verifier.verify(token, at: now + .seconds(600)) }
    #expect(throws: TokenRefusal.expired) { try verifier.verify(token, at: now + .seconds(600)) }
  }

  @Test("[ID-7] when a session ends its tokens are revoked, remembered or not, and no other's")
  func revocation() throws {
    let (ended, other) = (UUID7(high: 0, low: 5), UUID7(high: 0, low: 6))
    let verifier = TokenVerifier([key.verificationKey])
    let (seen, unseen, others) = try (token(session: ended), token(session: ended), token(session: other))
    _ = try verifier.verify(seen, at: now)
    _ = try verifier.verify(others, at: now)
    verifier.end(session: ended, at: now)
    for token in [seen, unseen, seen] {
      #expect(throws: TokenRefusal.revoked) { try verifier.verify(token, at: now + .seconds(1)) }
    }
    #expect(try verifier.verify(others, at: now).session == other)
    verifier.replaceKeys([key.verificationKey])
    #expect(throws: TokenRefusal.revoked) { try verifier.verify(seen, at: now + .seconds(599)) }
  }

  @Test("a key that is taken away takes its tokens with it")
  func keyRemoval() throws {
    let (verifier, token) = (TokenVerifier([key.verificationKey]), try token())
    _ = try verifier.verify(token, at: now)
    verifier.replaceKeys([try SigningKey(randomness: randomness).verificationKey])
    #expect(throws: TokenRefusal.invalid) { try verifier.verify(token, at: now) }
  }

  @Test("the cache never holds more than its capacity, and keeps what is in use")
  func bound() throws {
    let cache = VerifiedTokenCache(capacity: 100)
    let claims = try TokenVerifier([key.verificationKey]).verify(token(), at: now)
    #expect(cache.insert("in use", claims, at: now) == nil)
    for number in 0..<10_000 {
      #expect(cache.insert("token \(number)", claims, at: now) == nil)
      #expect(cache.find("in use", at: now) == .good(claims))
      #expect(cache.count <= 100)
    }
    #expect(cache.find("token 0", at: now) == .unknown)
    #expect(cache.find("token 9999", at: now) == .good(claims))
  }

  @Test("a garbled token is not remembered")
  func garbage() throws {
    let verifier = TokenVerifier([key.verificationKey])
    for text in ["", "a.b.c", try token() + "x"] {
      #expect(throws: TokenRefusal.invalid) { try verifier.verify(text, at: now) }
      #expect(throws: TokenRefusal.invalid) { try verifier.verify(text, at: now) }
    }
  }

  @Test("tells a token under an unknown key from any other that is no good")
  func unknownKey() throws {
    let other = try SigningKey(randomness: randomness)
    let token = try token()
    #expect(TokenVerifier([other.verificationKey]).lacksKey(of: token))
    #expect(!TokenVerifier([key.verificationKey]).lacksKey(of: token))
    #expect(!TokenVerifier([]).lacksKey(of: "a.b.c"))
  }
}
