import Environment
import Cryptography
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

/// Throttles clients that fail or call too often. The counts are in the database, so they survive a restart and hold
/// for every replica ([ID-10]).
package struct Throttles: Sendable {
  private let database: Database
  private let clock: any WallClock
  private let policies: ThrottlePolicies
  private let refusedAddresses = RefusedAddresses()

  package init(database: Database, clock: any WallClock, policies: ThrottlePolicies = ThrottlePolicies()) {
    self.database = database
    self.clock = clock
    self.policies = policies
  }

  /// Refuses a login from an address that was throttled a moment ago, without a query.
  ///
  /// - Parameter key: of the kind `loginAddress`.
  package func requireUnrefusedLogins(_ key: ThrottleKey) throws(Throttled) {
    guard let wait = refusedAddresses.wait(of: key.subject, at: clock.now) else { return }
    throw Throttled(kind: .loginAddress, retryAfter: wait)
  }

  /// Checks that none of the keys is throttled, before expensive work.
  ///
  /// - Throws: `Throttled` with the longest wait.
  package func requireRoom(_ keys: [ThrottleKey]) async throws {
    try require(try await database.rows(ThrottlesOf(keys)))
  }

  /// Checks that none of the keys is throttled; the existing records of the keys stay locked until the transaction
  /// ends.
  ///
  /// - Throws: `Throttled` with the longest wait.
  package func requireRoom(_ keys: [ThrottleKey], in tx: Transaction) async throws {
    try require(try await tx.rows(LockedThrottles(keys)))
  }

  /// Counts an attempt for each of the keys, in its own transaction, so that the count remains even if the attempt is
  /// refused.
  ///
  /// - Throws: `Throttled` with the longest wait when one of them is throttled; then nothing is counted.
  package func count(_ keys: [ThrottleKey]) async throws {
    try await database.transaction { tx in _ = try await count(keys, in: tx) }
  }

  /// Counts an attempt for each of the keys in the transaction.
  ///
  /// - Returns: the kinds that this attempt has locked.
  /// - Throws: `Throttled` with the longest wait when one of them is throttled; then nothing is counted.
  @discardableResult
  package func count(_ keys: [ThrottleKey], in tx: Transaction) async throws -> Set<ThrottleKind> {
    let now = clock.now
    let found = try await tx.rows(LockThrottles(keys, now: now))
    try require(found)
    var locked: Set<ThrottleKind> = []
    for one in found {
      let policy = policies[one.key.kind]
      let record = policy.counting(one.record, at: now)
      try await tx.execute(StoreThrottle(one.key, record, expiresAt: policy.end(of: record) ?? now))
      if record.lockedUntil != one.record.lockedUntil { locked.insert(one.key.kind) }
    }
    return locked
  }

  /// Counts an attempt for each of the keys unless one of them is throttled, for callers whose response must not reveal
  /// that.
  ///
  /// - Returns: whether it was counted.
  package func take(_ keys: [ThrottleKey], in tx: Transaction) async throws -> Bool {
    do {
      // Checked first, without a lock: if one key is throttled, the others get no row.
      try require(try await tx.rows(ThrottlesOf(keys)))
      try await count(keys, in: tx)
      return true
    } catch is Throttled { return false }
  }

  /// Looks something up, and counts an attempt that finds nothing. The record of the key is locked meanwhile: of
  /// concurrent calls each knows what the ones before it have found.
  ///
  /// - Returns: what `look` found; `nil`, which is counted, if that is nothing.
  /// - Throws: `Throttled` when the key is throttled; then nothing is looked up.
  package func counting<Found: Sendable>(
    _ key: ThrottleKey, _ look: nonisolated(nonsending) (Transaction) async throws -> Found?
  ) async throws -> Found? {
    try await database.transaction { (tx) async throws -> Found? in
      let now = clock.now
      let records = try await tx.rows(LockThrottles([key], now: now))
      try require(records)
      if let found = try await look(tx) { return found }
      for one in records {
        let record = policies[key.kind].counting(one.record, at: now)
        try await tx.execute(StoreThrottle(key, record, expiresAt: policies[key.kind].end(of: record) ?? now))
      }
      return nil
    }
  }

  /// Counts an attempt for the key unless it is throttled.
  ///
  /// - Returns: how long it is throttled; zero if the attempt was counted.
  package func countOrWait(_ key: ThrottleKey, in tx: Transaction) async throws -> Duration {
    do {
      try await count([key], in: tx)
      return .zero
    } catch let throttled as Throttled { return throttled.retryAfter }
  }

  private func require(_ found: [StoredThrottle]) throws(Throttled) {
    let now = clock.now
    let waits = found.compactMap { one in policies[one.key.kind].wait(one.record, at: now).map { (one.key, $0) } }
    for (key, wait) in waits where key.kind == .loginAddress {
      refusedAddresses.add(key.subject, until: now + wait, at: now)
    }
    guard let (key, wait) = waits.max(by: { $0.1 < $1.1 }) else { return }
    throw Throttled(kind: key.kind, retryAfter: wait)
  }
}

extension ThrottleKey {
  /// Wrong passwords for an account, under any of its names ([ID-10]).
  package static func passwords(of account: UserID) -> ThrottleKey {
    ThrottleKey(.loginName, subject: Digest.sha256("account:\(account)".utf8))
  }

  /// Wrong passwords for an account from one of its remembered devices ([ID-10]).
  package static func passwords(on device: RememberedDeviceID) -> ThrottleKey {
    ThrottleKey(.loginDevice, subject: Digest.sha256("device:\(device)".utf8))
  }

  /// Wrong passwords for an account in one of its sessions ([ID-10]).
  package static func passwords(in session: SessionID) -> ThrottleKey {
    ThrottleKey(.loginDevice, subject: Digest.sha256("session:\(session)".utf8))
  }

  /// Attempts by a user.
  package static func user(_ account: UserID, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("account:\(account)".utf8))
  }

  /// Attempts about an e-mail address.
  package static func email(_ email: EmailAddress, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("email:\(email.key)".utf8))
  }

  /// Attempts about e-mail addresses of the same domain.
  package static func domain(of email: EmailAddress, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("domain:\(email.domain.lowercased())".utf8))
  }

  /// Attempts by all clients together.
  package static func everybody(_ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("everybody".utf8))
  }

  /// The throttles of a resent verification mail to a registered address ([ID-17]). Unregistered addresses count for none of them, so that made-up
  /// ones do not use up a domain's limit.
  package static func resendMail(to email: EmailAddress) -> [ThrottleKey] {
    [.domain(of: email, .resendDomain), .everybody(.resendAll)]
  }

  /// The throttles of a mail to an address that a user wants for their account, whether or not it is registered
  /// ([ID-15]). It counts as a verification mail. How often others ask for the address refuses nothing: its owner may be
  /// the next.
  package static func emailChange(of account: UserID, to email: EmailAddress) -> [ThrottleKey] {
    [.user(account, .emailChange)] + resendMail(to: email)
  }

  /// The throttles of a reset mail to a registered address ([ID-17]).
  package static func resetMail(to email: EmailAddress) -> [ThrottleKey] {
    [.domain(of: email, .resetDomain), .everybody(.resetAll)]
  }
}
