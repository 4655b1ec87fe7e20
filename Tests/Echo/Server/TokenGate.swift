import Ambient
import Cryptography
import Identifiers
import TTRPC

/// Lets a call in only with the one token that it made, checked as a service checks tokens: what benchmarks are to pay for too.
struct TokenGate: ServerInterceptor {
  /// Good for ten minutes.
  let token: String
  private let verifier: TokenVerifier
  private let clock: any WallClock

  init(_ ambient: Ambient) throws {
    let now = ambient.clock.now
    let key = try SigningKey(randomness: ambient.randomness)
    let claims = AccessClaims(
      subject: ambient.randomness.uuid7(at: now), session: ambient.randomness.uuid7(at: now),
      tokenID: ambient.randomness.uuid7(at: now), issuedAt: now, expiresAt: now + .seconds(600), scope: "user")
    token = try AccessToken.sign(claims, for: .tandem, with: key)
    verifier = TokenVerifier([key.verificationKey])
    clock = ambient.clock
  }

  func callBegins(_ call: inout CallContext) throws(Status) {
    do {
      _ = try verifier.verify(String(call.metadata.bearerToken ?? ""), at: clock.now)
    } catch {
      throw Status(.unauthenticated, reason: "TOKEN_INVALID", "Send the token that the server printed at its start")
    }
  }
}
