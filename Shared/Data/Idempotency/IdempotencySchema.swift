public import Expiry
import Identifiers
import Postgres

/// The table of first responses; each service has its own.
public enum IdempotencySchema {}

extension ClaimRequest {
  init(_ key: RequestKey, now: Instant) {
    self.init(
      caller: key.caller, method: key.method, requestID: key.requestID, now: now,
      expiredAt: now - IdempotencyStore.lifetime)
  }
}

extension StoredAnswer {
  init(_ key: RequestKey, now: Instant) {
    self.init(
      caller: key.caller, method: key.method, requestID: key.requestID, expiredAt: now - IdempotencyStore.lifetime)
  }
}

extension StoreAnswer {
  init(_ key: RequestKey, sealedAnswer: [UInt8]) {
    self.init(sealedAnswer: sealedAnswer, caller: key.caller, method: key.method, requestID: key.requestID)
  }
}

extension DeleteExpiredIdempotencyKeys: ExpiryStatement {
  public static let kept = IdempotencyStore.lifetime
}
