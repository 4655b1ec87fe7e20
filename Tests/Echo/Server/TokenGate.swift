import Environment
import Cryptography
import Identifiers
import TTRPC

/// Accepts only calls with the one token that it created, checked as a service checks tokens, so that benchmarks include the cost.
struct TokenGate: ServerInterceptor {
  /// Good for ten minutes.
  let token: String
  private let verifier: TokenVerifier
  private let clock: any WallClock

  init(_ environment: Environment) throws {
    let now = environment.clock.now
    let key = try SigningKey(randomness: environment.randomness)
    let claims = AccessClaims(
      subject: environment.randomness.uuid7(at: now), session: environment.randomness.uuid7(at: now),
      tokenID: environment.randomness.uuid7(at: now), issuedAt: now, expiresAt: now + .seconds(600), scope: "user")
    token = try AccessToken.sign(claims, for: .tandem, with: key)
    verifier = TokenVerifier([key.verificationKey])
    clock = environment.clock
  }

  func callBegins(_ call: inout CallContext) throws(Status) {
    do {
      _ = try verifier.verify(String(call.metadata.bearerToken ?? ""), at: clock.now)
    } catch {
      throw Status(.unauthenticated, reason: "TOKEN_INVALID", "Send the token that the server printed at its start")
    }
  }
}
