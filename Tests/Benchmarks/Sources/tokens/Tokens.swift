import Environment
import ArgumentParser
import Cryptography
import Foundation
import Identifiers
import Measure

/// Checks access tokens as every service does, for the first time and again, and prints how long half of the checks take at most, in
/// microseconds, as JSON: `{"first": [a round each], "cached": […]}`.
@main
struct Tokens: ParsableCommand {
  @Option var rounds = 5
  @Option(help: "Tokens of a round.") var tokens = 2_000
  @Option(help: "Checks of each token after its first.") var repetitions = 50

  func run() throws {
    let (clock, randomness) = (SystemClock(), SystemRandomness())
    let key = try SigningKey(seed: randomness.bytes(32))
    var (first, cached): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      let now = clock.now
      let texts = try (0..<tokens).map { _ in
        try AccessToken.sign(
          AccessClaims(
            subject: randomness.uuid7(at: now), session: randomness.uuid7(at: now), tokenID: randomness.uuid7(at: now),
            issuedAt: now, expiresAt: now + .seconds(600), scope: "user"), for: .tandem, with: key)
      }
      let verifier = TokenVerifier([key.verificationKey])
      // A service always knows of some session that has ended.
      verifier.end(session: randomness.uuid7(at: now), at: now)
      first.append(try median(texts, verifier, at: now))
      cached.append(try median((0..<repetitions).flatMap { _ in texts }, verifier, at: now))
    }
    print(String(decoding: try JSONEncoder().encode(["first": first, "cached": cached]), as: UTF8.self))
  }

  /// Half of the checks take no longer, in microseconds, the clock's own time included.
  private func median(_ texts: [String], _ verifier: TokenVerifier, at now: Instant) throws -> Double {
    var times: [UInt64] = []
    times.reserveCapacity(texts.count)
    for text in texts {
      let begun = monotonicNanoseconds()
      _ = try verifier.verify(text, at: now)
      times.append(monotonicNanoseconds() - begun)
    }
    times.sort()
    return Double(times[times.count / 2]) / 1e3
  }
}
