import Identifiers

/// What is counted, and for which subject: a user's account, or the client's address.
///
/// Records are locked in the order of the raw values, so that two calls do not deadlock.
public enum ThrottleKind: String, Sendable, Hashable, CaseIterable {
  /// [ID-10] Wrong passwords for an account, or for an unknown name.
  case loginName = "LOGIN_1_NAME"
  /// [ID-10] Wrong passwords for an account from one of its remembered devices, or in one of its sessions. They count for
  /// nothing else.
  case loginDevice = "LOGIN_1_DEVICE"
  /// [ID-10] Wrong passwords from a client's address.
  case loginAddress = "LOGIN_2_ADDRESS"
  /// [ID-8] Reset mails requested for an e-mail address, whether or not it is registered.
  case resetEmail = "RESET_1_EMAIL"
  /// [ID-8] Reset mails requested from a client's address: each response reveals whether an address is registered.
  case resetAddress = "RESET_2_ADDRESS"
  /// [ID-17] Reset mails sent to registered addresses of one mail domain.
  case resetDomain = "RESET_3_DOMAIN"
  /// [ID-17] Reset mails sent to registered addresses of all domains together.
  case resetAll = "RESET_4_ALL"
  /// [ID-17] Accounts registered from a client's address: each sends a mail to any address the client names.
  case registrationAddress = "REGISTRATION_1_ADDRESS"
  /// [ID-17] Accounts registered with addresses of a mail domain.
  case registrationDomain = "REGISTRATION_2_DOMAIN"
  /// [ID-17] Accounts registered in all.
  case registrationAll = "REGISTRATION_3_ALL"
  /// [ID-17] Repeated verification mails requested from a client's address: each stores a row, whatever address it
  /// names.
  case resendAddress = "RESEND_1_ADDRESS"
  /// [ID-17] Repeated verification mails requested for an e-mail address, whether or not it is registered, from
  /// wherever.
  case resendEmail = "RESEND_1_EMAIL"
  /// [ID-17] Verification mails resent to registered addresses of one mail domain.
  case resendDomain = "RESEND_2_DOMAIN"
  /// [ID-17] Verification mails resent to registered addresses of all domains together.
  case resendAll = "RESEND_3_ALL"
  /// [ID-17] Passkey challenges requested from a client's address, for login or registration: each stores a row for
  /// five minutes.
  case passkeyStartAddress = "PASSKEY_START_1_ADDRESS"
  /// [ID-17] Passkey challenges requested in all, for login.
  case passkeyStartAll = "PASSKEY_START_2_ALL"
  /// [ID-17] New passwords from a client's address that were checked in vain: a check takes milliseconds of a core.
  case refusedPasswordAddress = "REFUSED_PASSWORD_ADDRESS"
  /// [ID-2] Registrations from a client's address whose response revealed that the e-mail address is registered.
  case registerAddress = "REGISTER_ADDRESS"
  /// [ID-12] Logins by a provider started from a client's address: each stores a row for ten minutes.
  case federatedStart = "FEDERATED_START"
  /// [ID-26] Reports by a user.
  case report = "REPORT"
  /// [ID-41] Unknown addresses that a user tried to add to groups: each response reveals whether an address is
  /// registered.
  case strangerAdded = "STRANGER_ADDED"
  /// [ID-44] Invitations to groups by a user: each may notify another user.
  case invitation = "INVITATION"
  /// [ID-15] Changes of the e-mail address requested by a user: each sends a mail to any address the user names.
  case emailChange = "EMAIL_CHANGE_1_USER"
  /// [ID-15] Changes to an e-mail address requested by any users, whether or not it is registered. Further ones are not
  /// refused, because they may be its owner's: their mail waits, and goes as one.
  case emailChangeTarget = "EMAIL_CHANGE_2_TARGET"
  /// [ID-22] Username changes of a user: each reserves the old name.
  case usernameChange = "USERNAME_CHANGE"

  /// The default policy, where no setting changes it.
  public var policy: ThrottlePolicy {
    switch self {
    case .loginName, .loginDevice:
      ThrottlePolicy(
        limit: 5, window: .seconds(900), consequence: .lock(first: .seconds(900), longest: .seconds(24 * 3_600)))
    case .loginAddress: ThrottlePolicy(limit: 50, window: .seconds(900))
    case .resetEmail: ThrottlePolicy(limit: 3, window: .seconds(900))
    case .resetAddress: ThrottlePolicy(limit: 10, window: .seconds(900))
    case .registerAddress: ThrottlePolicy(limit: 50, window: .seconds(900))
    case .federatedStart: ThrottlePolicy(limit: 50, window: .seconds(900))
    case .report: ThrottlePolicy(limit: 20, window: .seconds(24 * 3_600))
    case .strangerAdded: ThrottlePolicy(limit: 20, window: .seconds(3_600))
    case .invitation: ThrottlePolicy(limit: 50, window: .seconds(24 * 3_600))
    // Two typing errors and a lost mail; a user has one address.
    case .emailChange: ThrottlePolicy(limit: 5, window: .seconds(24 * 3_600))
    // Three at once, and then one every two hours: fewer than twenty a day, and nobody waits for half a day.
    case .emailChangeTarget, .resendEmail: .refilling(3, in: .seconds(6 * 3_600))
    // The window equals the reservation, so this is also the maximum number of names that a user keeps reserved.
    case .usernameChange: ThrottlePolicy(limit: 5, window: Lifetimes.reservedUsername)
    // Enough for a class that registers from one address; 1,000 mails to strangers would take a day and a half.
    case .registrationAddress: .refilling(30, in: .seconds(3_600))
    case .resendAddress: .refilling(20, in: .seconds(3_600))
    // The peak of one mail provider on a busy day, as half of the users may be with one.
    case .registrationDomain, .resendDomain, .resetDomain: .refilling(500, in: .seconds(3_600))
    // What a mail server of ordinary reputation sends; it limits pending registrations to 336,000.
    case .registrationAll, .resendAll, .resetAll: .refilling(2_000, in: .seconds(3_600))
    // Allows for a page that requests a challenge as soon as it is opened, behind an address that many users share.
    case .passkeyStartAddress: .refilling(100, in: .seconds(300))
    // 33 a second sustained, and 40,000 rows between two sweeps.
    case .passkeyStartAll: .refilling(10_000, in: .seconds(300))
    // More than one user tries; checking 200 passwords takes one second of a core.
    case .refusedPasswordAddress: .refilling(200, in: .seconds(900))
    }
  }
}

/// The policy of each kind: the operator's settings, and the defaults for the rest.
public struct ThrottlePolicies: Sendable {
  private let changed: [ThrottleKind: ThrottlePolicy]

  /// Overrides the default policies of the given kinds.
  public init(_ changed: [ThrottleKind: ThrottlePolicy] = [:]) { self.changed = changed }

  public subscript(kind: ThrottleKind) -> ThrottlePolicy { changed[kind] ?? kind.policy }
}

/// How many attempts are allowed within a time, and the consequence of exceeding that.
public struct ThrottlePolicy: Sendable, Hashable {
  public enum Consequence: Sendable, Hashable {
    /// Further attempts wait until the oldest attempt has left the window.
    case wait
    /// All attempts are refused for `first`; every further lock is twice as long, up to `longest`. A day without an
    /// attempt after the end of a lock, or a right password, starts again with `first`.
    case lock(first: Duration, longest: Duration)
    /// A leaky bucket: `limit` attempts at once, and then one more each time the window's share of one has passed. It
    /// stores one timestamp, however large the limit is.
    case refill
  }

  /// The maximum number of attempts within the window.
  public let limit: Int
  /// How long an attempt counts.
  public let window: Duration
  public let consequence: Consequence

  public init(limit: Int, window: Duration, consequence: Consequence = .wait) {
    precondition(limit > 0, "a throttle lets something through")
    self.limit = limit
    self.window = window
    self.consequence = consequence
  }

  /// A leaky bucket: `limit` attempts at once, refilled one by one within the window.
  public static func refilling(_ limit: Int, in window: Duration) -> ThrottlePolicy {
    ThrottlePolicy(limit: limit, window: window, consequence: .refill)
  }

  /// What one attempt adds to a bucket, in whole microseconds, as it is stored.
  private var share: Duration { .microseconds(window.wholeMicroseconds / Int64(limit)) }

  /// The number of doublings, beyond which a lock has long reached its maximum.
  private static let maxDoublings = 30

  /// How long the subject of this record must wait; `nil` when the next attempt is allowed.
  public func wait(_ record: ThrottleRecord, at now: Instant) -> Duration? {
    switch consequence {
    case .lock(_, let longest):
      // A clock that was set back must not lengthen the wait.
      guard let end = record.lockedUntil, now < end else { return nil }
      return min(end - now, longest)
    case .wait:
      let counted = counted(record, at: now)
      guard counted.count >= limit else { return nil }
      return min(counted[counted.count - limit] + window - now, window)
    case .refill:
      let wait = level(record, at: now) + share - window
      return wait > .zero ? wait : nil
    }
  }

  /// The time until a bucket is empty. A clock that was set back fills it at most.
  private func level(_ record: ThrottleRecord, at now: Instant) -> Duration {
    min(max((record.emptyAt ?? now) - now, .zero), window)
  }

  /// The record with one more attempt, which may start a lock.
  public func counting(_ record: ThrottleRecord, at now: Instant) -> ThrottleRecord {
    if consequence == .refill { return ThrottleRecord(emptyAt: now + level(record, at: now) + share) }
    var next = record
    next.attempts = Array((counted(record, at: now) + [now]).suffix(limit))
    guard case .lock(let first, let longest) = consequence, next.attempts.count == limit else { return next }
    let earlier = isForgiven(record, at: now) ? 0 : record.locks
    let length = min(first * (1 << min(earlier, Self.maxDoublings)), longest)
    return ThrottleRecord(attempts: [], lockedUntil: now + length, locks: min(earlier + 1, Self.maxDoublings))
  }

  /// When the record expires and can be removed.
  public func end(of record: ThrottleRecord) -> Instant? {
    if consequence == .refill { return record.emptyAt }
    let counting = record.attempts.last.map { $0 + window }
    guard case .lock(_, let longest) = consequence, let locked = record.lockedUntil else { return counting }
    return max(locked + longest, counting ?? locked)
  }

  private func counted(_ record: ThrottleRecord, at now: Instant) -> [Instant] {
    record.attempts.filter { now - $0 < window }
  }

  private func isForgiven(_ record: ThrottleRecord, at now: Instant) -> Bool {
    guard case .lock(_, let longest) = consequence, let locked = record.lockedUntil else { return true }
    return now - locked >= longest
  }
}

/// The recorded attempts of one subject.
public struct ThrottleRecord: Sendable, Hashable {
  /// The times of the attempts, the oldest first; at most as many as the limit.
  public var attempts: [Instant]
  /// The end of the last lock; `nil` if there was none.
  public var lockedUntil: Instant?
  /// The number of consecutive locks.
  public var locks: Int
  /// When the bucket is empty, for a kind that refills; `nil` for the others.
  public var emptyAt: Instant?

  /// A record; empty by default.
  public init(attempts: [Instant] = [], lockedUntil: Instant? = nil, locks: Int = 0, emptyAt: Instant? = nil) {
    self.attempts = attempts
    self.lockedUntil = lockedUntil
    self.locks = locks
    self.emptyAt = emptyAt
  }
}

/// The refusal of an attempt because there were too many.
public struct Throttled: Error, Sendable, Hashable {
  public let kind: ThrottleKind
  /// How long to wait before the next attempt.
  public let retryAfter: Duration

  public init(kind: ThrottleKind, retryAfter: Duration) { (self.kind, self.retryAfter) = (kind, retryAfter) }
}
