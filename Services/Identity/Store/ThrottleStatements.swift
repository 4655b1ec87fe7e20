import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// The kind and the subject of a throttle.
package struct ThrottleKey: Sendable, Hashable {
  package let kind: ThrottleKind
  /// The SHA-256 of the subject.
  package let subject: [UInt8]

  package init(_ kind: ThrottleKind, subject: [UInt8]) {
    self.kind = kind
    self.subject = subject
  }
}

package struct StoredThrottle: Sendable {
  package let key: ThrottleKey
  package let record: ThrottleRecord

  init(_ columns: ThrottleColumns) {
    key = ThrottleKey(columns.kind, subject: columns.subject)
    record = ThrottleRecord(
      attempts: columns.attempts, lockedUntil: columns.lockedUntil, locks: Int(columns.locks), emptyAt: columns.emptyAt)
  }
}

extension ThrottlesOf {
  package init(_ keys: [ThrottleKey]) { self.init(kinds: keys.map(\.kind), subjects: keys.map(\.subject)) }
}

extension LockedThrottles {
  package init(_ keys: [ThrottleKey]) { self.init(kinds: keys.map(\.kind), subjects: keys.map(\.subject)) }
}

extension LockThrottles {
  package init(_ keys: [ThrottleKey], now: Instant) {
    self.init(now: now, kinds: keys.map(\.kind), subjects: keys.map(\.subject))
  }
}

extension StoreThrottle {
  package init(_ key: ThrottleKey, _ record: ThrottleRecord, expiresAt: Instant) {
    self.init(
      attempts: record.attempts, lockedUntil: record.lockedUntil, locks: Int16(record.locks), expiresAt: expiresAt,
      emptyAt: record.emptyAt, kind: key.kind, subject: key.subject)
  }
}

extension ForgetThrottle {
  package init(_ key: ThrottleKey) { self.init(kind: key.kind, subject: key.subject) }
}

extension DeleteExpiredThrottles: ExpiryStatement {
  package static let kept = Duration.zero
}
