import Identifiers

/// What is counted, and for whom: a user's own account, or the address that calls come from.
///
/// Their order is that in which records are locked, so that two calls do not wait for each other.
public enum ThrottleKind: String, Sendable, Hashable, CaseIterable {
  /// [ID-10] Wrong passwords for an account, or for a name that nobody has.
  case loginName = "LOGIN_1_NAME"
  /// [ID-10] Wrong passwords from a client's address.
  case loginAddress = "LOGIN_2_ADDRESS"
  /// [ID-8] Reset mails asked for an e-mail address, whether or not anybody has it.
  case resetEmail = "RESET_1_EMAIL"
  /// [ID-8] Reset mails asked for from a client's address: each answer tells whether somebody is registered.
  case resetAddress = "RESET_2_ADDRESS"
  /// [ID-17] Reset mails sent to registered addresses of one mail domain.
  case resetDomain = "RESET_3_DOMAIN"
  /// [ID-17] Reset mails sent to registered addresses of all domains together.
  case resetAll = "RESET_4_ALL"
  /// [ID-17] Accounts registered from a client's address: each sends a mail to whomever it names.
  case registrationAddress = "REGISTRATION_1_ADDRESS"
  /// [ID-17] Accounts registered with addresses of a mail domain.
  case registrationDomain = "REGISTRATION_2_DOMAIN"
  /// [ID-17] Accounts registered in all.
  case registrationAll = "REGISTRATION_3_ALL"
  /// [ID-17] Verification mails asked for again from a client's address: each leaves a row, whomever it names.
  case resendAddress = "RESEND_1_ADDRESS"
  /// [ID-17] Verification mails resent to registered addresses of one mail domain.
  case resendDomain = "RESEND_2_DOMAIN"
  /// [ID-17] Verification mails resent to registered addresses of all domains together.
  case resendAll = "RESEND_3_ALL"
  /// [ID-17] Passkeys asked for from a client's address, to log in or to add one: each leaves a row for five minutes.
  case passkeyStartAddress = "PASSKEY_START_1_ADDRESS"
  /// [ID-17] Passkeys asked for in all, to log in.
  case passkeyStartAll = "PASSKEY_START_2_ALL"
  /// [ID-17] New passwords from a client's address that were judged and came to nothing: judging one takes milliseconds of a core.
  case refusedPasswordAddress = "REFUSED_PASSWORD_ADDRESS"
  /// [ID-2] Registrations from a client's address that were told that somebody has registered the e-mail address.
  case registerAddress = "REGISTER_ADDRESS"
  /// [ID-12] Logins by a provider that were begun from a client's address: each leaves a row for ten minutes.
  case federatedStart = "FEDERATED_START"
  /// [ID-26] Reports by a user.
  case report = "REPORT"
  /// [ID-41] Unknown addresses that a user tried to add to groups: each answer tells whether somebody is registered.
  case strangerAdded = "STRANGER_ADDED"
  /// [ID-22] New usernames of a user: each keeps the old one from everybody else.
  case usernameChange = "USERNAME_CHANGE"

  /// What it is held to where no setting says otherwise.
  public var policy: ThrottlePolicy {
    switch self {
    case .loginName:
      ThrottlePolicy(
        limit: 5, window: .seconds(900), consequence: .lock(first: .seconds(900), longest: .seconds(24 * 3_600)))
    case .loginAddress: ThrottlePolicy(limit: 50, window: .seconds(900))
    case .resetEmail: ThrottlePolicy(limit: 3, window: .seconds(900))
    case .resetAddress: ThrottlePolicy(limit: 10, window: .seconds(900))
    case .registerAddress: ThrottlePolicy(limit: 50, window: .seconds(900))
    case .federatedStart: ThrottlePolicy(limit: 50, window: .seconds(900))
    case .report: ThrottlePolicy(limit: 20, window: .seconds(24 * 3_600))
    case .strangerAdded: ThrottlePolicy(limit: 20, window: .seconds(3_600))
    // As long as a name is reserved: nobody keeps more names than this from others.
    case .usernameChange: ThrottlePolicy(limit: 5, window: Lifetimes.reservedUsername)
    // A class that signs up in one room does; a thousand mails to strangers take a day and a half.
    case .registrationAddress: .refilling(30, in: .seconds(3_600))
    case .resendAddress: .refilling(20, in: .seconds(3_600))
    // The most that one provider of mail has on a busy day, for half of the users may be with one.
    case .registrationDomain, .resendDomain, .resetDomain: .refilling(500, in: .seconds(3_600))
    // What a mail server of ordinary standing sends; and of pending registrations there are 336,000 at most.
    case .registrationAll, .resendAll, .resetAll: .refilling(2_000, in: .seconds(3_600))
    // A page that asks as soon as it is opened, behind an address that many share.
    case .passkeyStartAddress: .refilling(100, in: .seconds(300))
    // Thirty-three a second for as long as it takes, and 40,000 rows between two sweeps.
    case .passkeyStartAll: .refilling(10_000, in: .seconds(300))
    // More than one user tries; a core's time for 200 judgements is a second.
    case .refusedPasswordAddress: .refilling(200, in: .seconds(900))
    }
  }
}

/// What each kind is held to: the operator's numbers, and ours for the rest.
public struct ThrottlePolicies: Sendable {
  private let changed: [ThrottleKind: ThrottlePolicy]

  /// The policies of the kinds that are named, in place of their own.
  public init(_ changed: [ThrottleKind: ThrottlePolicy] = [:]) { self.changed = changed }

  /// What `kind` is held to.
  public subscript(kind: ThrottleKind) -> ThrottlePolicy { changed[kind] ?? kind.policy }
}

/// How often something may be done within a time, and what comes of doing it more often.
public struct ThrottlePolicy: Sendable, Hashable {
  /// What happens at the limit.
  public enum Consequence: Sendable, Hashable {
    /// Whoever comes next waits until the oldest attempt is out of the window.
    case wait
    /// Nothing is let through for so long; with every further lock twice as long, up to the longest. A day without an attempt after the end
    /// of a lock, or a right password, begins anew.
    case lock(first: Duration, longest: Duration)
    /// So many at once, and from then on one whenever the window's share of one has passed: a leaky bucket, which remembers one moment
    /// however large the limit is.
    case refill
  }

  /// Attempts within the window.
  public let limit: Int
  /// How long an attempt counts.
  public let window: Duration
  /// What happens at the limit.
  public let consequence: Consequence

  /// A limit of attempts within a window.
  public init(limit: Int, window: Duration, consequence: Consequence = .wait) {
    precondition(limit > 0, "a throttle lets something through")
    self.limit = limit
    self.window = window
    self.consequence = consequence
  }

  /// So many at once, and as many again within the window, one after the other.
  public static func refilling(_ limit: Int, in window: Duration) -> ThrottlePolicy {
    ThrottlePolicy(limit: limit, window: window, consequence: .refill)
  }

  /// What one attempt adds to a bucket, in whole microseconds, which is what is stored.
  private var share: Duration { .microseconds(window.wholeMicroseconds / Int64(limit)) }

  /// A lock's doublings, beyond which it has long been the longest.
  private static let maxDoublings = 30

  /// How long whoever has this record must wait; `nil` when the next attempt may be made.
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

  /// How long a bucket takes to run empty; a clock that was set back fills it at most.
  private func level(_ record: ThrottleRecord, at now: Instant) -> Duration {
    min(max((record.emptyAt ?? now) - now, .zero), window)
  }

  /// The record with one attempt more, which may bring about a lock.
  public func counting(_ record: ThrottleRecord, at now: Instant) -> ThrottleRecord {
    if consequence == .refill { return ThrottleRecord(emptyAt: now + level(record, at: now) + share) }
    var next = record
    next.attempts = Array((counted(record, at: now) + [now]).suffix(limit))
    guard case .lock(let first, let longest) = consequence, next.attempts.count == limit else { return next }
    let earlier = isForgiven(record, at: now) ? 0 : record.locks
    let length = min(first * (1 << min(earlier, Self.maxDoublings)), longest)
    return ThrottleRecord(attempts: [], lockedUntil: now + length, locks: min(earlier + 1, Self.maxDoublings))
  }

  /// From when on a record means nothing any more.
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

/// What is remembered of attempts.
public struct ThrottleRecord: Sendable, Hashable {
  /// When they were, the oldest first; no more than the limit.
  public var attempts: [Instant]
  /// The end of the last lock; `nil` when there was none.
  public var lockedUntil: Instant?
  /// Locks that came one after the other.
  public var locks: Int
  /// When what was counted has run out, of a kind that refills; `nil` for the others.
  public var emptyAt: Instant?

  /// A record; by default that of somebody who has not tried anything.
  public init(attempts: [Instant] = [], lockedUntil: Instant? = nil, locks: Int = 0, emptyAt: Instant? = nil) {
    self.attempts = attempts
    self.lockedUntil = lockedUntil
    self.locks = locks
    self.emptyAt = emptyAt
  }
}
