import ClientAddresses
import Environment
import Cryptography
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TTRPC
import TandemIdentity

/// Throttles clients that fail or call too often. The counts are in the database, so they survive a restart and hold
/// for every replica ([ID-10]).
struct Throttles: Sendable {
  let database: Database
  let clock: any WallClock
  let policies: ThrottlePolicies
  private let refusedAddresses = RefusedAddresses()

  init(database: Database, clock: any WallClock, policies: ThrottlePolicies = ThrottlePolicies()) {
    self.database = database
    self.clock = clock
    self.policies = policies
  }

  /// Refuses a login from an address that was throttled a moment ago, without a query.
  func requireUnrefusedLogins(from context: CallContext) throws(Throttled) {
    let key = ThrottleKey.address(of: context, .loginAddress)
    guard let wait = refusedAddresses.wait(of: key.subject, at: clock.now) else { return }
    throw Throttled(kind: .loginAddress, retryAfter: wait)
  }

  /// Checks that none of the keys is throttled, before expensive work.
  ///
  /// - Throws: RESOURCE_EXHAUSTED with the longest wait.
  func requireRoom(_ keys: [ThrottleKey]) async throws {
    try require(try await database.rows(ThrottlesOf(keys)))
  }

  /// Checks that none of the keys is throttled; the existing records of the keys stay locked until the transaction
  /// ends.
  ///
  /// - Throws: RESOURCE_EXHAUSTED with the longest wait.
  func requireRoom(_ keys: [ThrottleKey], in tx: Transaction) async throws {
    try require(try await tx.rows(LockedThrottles(keys)))
  }

  /// Counts an attempt for each of the keys, in its own transaction, so that the count remains even if the attempt is
  /// refused.
  ///
  /// - Throws: RESOURCE_EXHAUSTED with the longest wait when one of them is throttled; then nothing is counted.
  func count(_ keys: [ThrottleKey]) async throws {
    try await database.transaction { tx in _ = try await count(keys, in: tx) }
  }

  /// Counts an attempt for each of the keys in the transaction.
  ///
  /// - Returns: the kinds that this attempt has locked.
  /// - Throws: RESOURCE_EXHAUSTED with the longest wait when one of them is throttled; then nothing is counted.
  @discardableResult
  func count(_ keys: [ThrottleKey], in tx: Transaction) async throws -> Set<ThrottleKind> {
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
  func take(_ keys: [ThrottleKey], in tx: Transaction) async throws -> Bool {
    do {
      // Checked first, without a lock: if one key is throttled, the others get no row.
      try require(try await tx.rows(ThrottlesOf(keys)))
      try await count(keys, in: tx)
      return true
    } catch is Throttled { return false }
  }

  /// Looks something up that only so many times may be looked up in vain. The record of the key is locked meanwhile: of
  /// concurrent calls each knows what the ones before it have found.
  ///
  /// - Returns: what `look` found; `nil`, which is counted, if that is nothing.
  /// - Throws: RESOURCE_EXHAUSTED when the key is throttled; then nothing is looked up.
  func counting<Found: Sendable>(
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
  func countOrWait(_ key: ThrottleKey, in tx: Transaction) async throws -> Duration {
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

/// An attempt to guess a password, of an account or of an unknown name ([ID-10]).
struct PasswordAttempt: Sendable {
  /// What stands for the account or the name.
  private let name: ThrottleKey
  /// The throttle that a right password resets.
  private let own: ThrottleKey
  private let address: ThrottleKey?

  /// An attempt to log in to a known account.
  ///
  /// - Parameter device: the remembered device that it comes from. If it is the account's, its wrong passwords count for
  ///   it alone, so that neither guesses from elsewhere nor those from the same address lock its user out.
  init(at account: UserID, on device: RememberedDevices.Device?, from context: CallContext) {
    name = .passwords(of: account)
    if let device, device.userID == account {
      (own, address) = (.passwords(on: device.id), nil)
    } else {
      (own, address) = (name, .address(of: context, .loginAddress))
    }
  }

  /// An attempt by a user who is logged in: its wrong passwords count for the session alone, for the same reason.
  init(at account: UserID, in session: SessionID) {
    name = .passwords(of: account)
    (own, address) = (.passwords(in: session), nil)
  }

  /// An attempt at the password of a name, given in the form in which names are compared.
  init(at name: String, from context: CallContext) {
    self.name = ThrottleKey(.loginName, subject: Digest.sha256("name:\(name)".utf8))
    own = self.name
    address = .address(of: context, .loginAddress)
  }

  /// The subject that stands for the account or the name.
  var subject: [UInt8] { name.subject }

  /// The throttles that a wrong password is counted for.
  var keys: [ThrottleKey] { [own] + (address.map { [$0] } ?? []) }

  /// Records that the password was right, unless concurrent wrong passwords have reached the limit, so that the result
  /// must not be revealed.
  ///
  /// Concurrent guesses are thereby treated as if they came one after the other.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when the limit was reached.
  func succeed(_ throttles: Throttles, in tx: Transaction) async throws {
    try await throttles.requireRoom(keys, in: tx)
    try await tx.execute(ForgetThrottle(own))
  }
}

extension ThrottleKey {
  /// Wrong passwords for an account, under any of its names ([ID-10]).
  static func passwords(of account: UserID) -> ThrottleKey {
    ThrottleKey(.loginName, subject: Digest.sha256("account:\(account)".utf8))
  }

  /// Wrong passwords for an account from one of its remembered devices ([ID-10]).
  static func passwords(on device: RememberedDeviceID) -> ThrottleKey {
    ThrottleKey(.loginDevice, subject: Digest.sha256("device:\(device)".utf8))
  }

  /// Wrong passwords for an account in one of its sessions ([ID-10]).
  static func passwords(in session: SessionID) -> ThrottleKey {
    ThrottleKey(.loginDevice, subject: Digest.sha256("session:\(session)".utf8))
  }

  /// Attempts by a user.
  static func user(_ account: UserID, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("account:\(account)".utf8))
  }

  /// Attempts about an e-mail address.
  static func email(_ email: EmailAddress, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("email:\(email.key)".utf8))
  }

  /// Attempts from the client's address.
  static func address(of context: CallContext, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("address:\(context.clientNetwork)".utf8))
  }

  /// Attempts about e-mail addresses of the same domain.
  static func domain(of email: EmailAddress, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("domain:\(email.domain.lowercased())".utf8))
  }

  /// Attempts by all clients together.
  static func everybody(_ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("everybody".utf8))
  }

  /// The throttles of a registration ([ID-17]).
  ///
  /// - Parameter email: `nil` if it is invalid.
  static func registration(of email: EmailAddress?, from context: CallContext) -> [ThrottleKey] {
    [.address(of: context, .registrationAddress), .everybody(.registrationAll)]
      + (email.map { [.domain(of: $0, .registrationDomain)] } ?? [])
  }

  /// The throttles of a resent verification mail to a registered address ([ID-17]). Unregistered addresses count for none of them, so that made-up
  /// ones do not use up a domain's limit.
  static func resendMail(to email: EmailAddress) -> [ThrottleKey] {
    [.domain(of: email, .resendDomain), .everybody(.resendAll)]
  }

  /// The throttles of a mail to an address that a user wants for their account, whether or not it is registered
  /// ([ID-15]). It counts as a verification mail. How often others ask for the address refuses nothing: its owner may be
  /// the next.
  static func emailChange(of account: UserID, to email: EmailAddress) -> [ThrottleKey] {
    [.user(account, .emailChange)] + resendMail(to: email)
  }

  /// The throttles of a request for a reset mail, whether or not the address is registered ([ID-8]).
  static func reset(of email: EmailAddress, from context: CallContext) -> [ThrottleKey] {
    [.email(email, .resetEmail), .address(of: context, .resetAddress)]
  }

  /// The throttles of a reset mail to a registered address ([ID-17]).
  static func resetMail(to email: EmailAddress) -> [ThrottleKey] {
    [.domain(of: email, .resetDomain), .everybody(.resetAll)]
  }

  /// The throttles of a request for a passkey challenge ([ID-17]): the limit for all applies to unauthenticated clients
  /// only, so that they cannot keep users who are logged in from adding a passkey.
  static func passkeyStart(of account: UserID?, from context: CallContext) -> [ThrottleKey] {
    let address = ThrottleKey.address(of: context, .passkeyStartAddress)
    return account == nil ? [address, .everybody(.passkeyStartAll)] : [address]
  }
}

/// [ID-10], [ID-8], [ID-17]. The same error whether or not the account exists.
extension Throttled: StatusConvertible {
  public var status: Status {
    let (reason, text): (IdentityReason, String) =
      switch kind {
      case .loginName, .loginDevice:
        (.loginLocked, "Too many wrong passwords; try again later, or reset the password")
      case .loginAddress: (.addressThrottled, "Too many wrong passwords from this address; try again later")
      case .resetEmail: (.resetThrottled, "Too many mails were asked for; look for the last one, or try again later")
      case .resetAddress: (.addressThrottled, "Too many mails were asked for from this address; try again later")
      case .registerAddress:
        (.addressThrottled, "Too many registered addresses were tried from this address; try again later")
      case .federatedStart:
        (.addressThrottled, "Too many logins were begun from this address; try again later")
      case .registrationAddress:
        (.addressThrottled, "Too many accounts were registered from this address; try again later")
      case .resendAddress: (.addressThrottled, "Too many mails were asked for from this address; try again later")
      case .resendEmail:
        (.verificationCooldown, "Too many mails were asked for; look for the last one, or try again later")
      case .passkeyStartAddress: (.addressThrottled, "Too many passkeys were asked for from this address; try again")
      case .refusedPasswordAddress:
        (.addressThrottled, "Too many new passwords from this address were refused; try again later")
      case .registrationDomain, .resendDomain, .resetDomain:
        (.domainThrottled, "Too many mails were asked for to addresses of this domain; try again later")
      case .registrationAll: (.serviceThrottled, "Too many accounts are being registered; try again later")
      case .resendAll, .resetAll: (.serviceThrottled, "Too many mails are being asked for; try again later")
      case .passkeyStartAll: (.serviceThrottled, "Too many passkeys are being asked for; try again shortly")
      case .report: (.tooManyReports, "You have sent many reports today; try again later")
      case .emailChange, .emailChangeTarget:
        (.emailChangeThrottled, "Too many mails were asked for; look for the last one, or try again tomorrow")
      case .usernameChange: (.tooManyUsernames, "You have changed your username often; try again later")
      case .strangerAdded: (.tooManyStrangers, "Too many of the addresses are unknown; try again later")
      case .invitation: (.tooManyInvitations, "You have invited many people today; try again later")
      }
    return Status(reason, text, retryAfter: retryAfter)
  }
}
