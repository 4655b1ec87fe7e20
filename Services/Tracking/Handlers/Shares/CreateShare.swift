import Cryptography
import FieldViolations
import GoogleProtobuf
import Idempotency
import Identifiers
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingOperations

extension JourneyShares {
  /// How long a link lasts unless its maker says otherwise, and at most.
  private static let lifetimes = (default: Swift.Duration.seconds(86_400), max: Swift.Duration.seconds(7 * 86_400))

  /// Makes a link to the caller's journey.
  package func createShare(_ call: CreateShareRequest, _ context: CallContext) async throws -> CreateShareResponse {
    let (user, now) = (try context.userID, environment.clock.now)
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    // By now the link may have expired.
    if let first: CreateShareResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let journey = bad.journeyID(call.journeyID)
    let expires = bad.expiry(call.expireTime, now: now, Self.lifetimes)
    let (journeyID, end) = try bad.all(journey, expires)
    let token = SecretToken(randomness: environment.randomness)
    return try await idempotency.execute(call, key) { tx in
      let id = try await operations.createShare(
        of: journeyID, by: user, hash: token.hash, at: now, until: end, tx)
      return CreateShareResponse(
        share: JourneyShare(id, of: journeyID, createdAt: now, expiresAt: end), token: token.text)
    }
  }
}

extension Violations {
  /// Parses when a link expires.
  fileprivate mutating func expiry(
    _ wire: Timestamp?, now: Instant, _ lifetimes: (default: Swift.Duration, max: Swift.Duration)
  ) -> Instant? {
    guard let wire else { return now + lifetimes.default }
    let end = Instant(valid: wire).flatMap { $0 > now && $0 <= now + lifetimes.max ? $0 : nil }
    return require(
      "expire_time", end, "A link expires in the future, within 7 days", TrackingReason.expireTimeInvalid)
  }
}
