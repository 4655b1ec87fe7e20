import ClientAddresses
import Environment
import Cryptography
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TTRPC

/// Holds off whoever fails or asks too often. What is counted is in the database, so neither a restart nor another replica forgets it
/// ([ID-10]).
struct Throttles: Sendable {
  let database: Database
  let clock: any WallClock
  let policies: ThrottlePolicies
  private let refusedAddresses = RefusedAddresses()

  /// Counts in `database`, as `policies` say.
  init(database: Database, clock: any WallClock, policies: ThrottlePolicies = ThrottlePolicies()) {
    self.database = database
    self.clock = clock
    self.policies = policies
  }

  /// Refuses a login from an address that was held off a moment ago, without asking the database.
  func requireUnrefusedLogins(from context: CallContext) throws(Status) {
    let key = ThrottleKey.address(of: context, .loginAddress)
    guard let wait = refusedAddresses.wait(of: key.subject, at: clock.now) else { return }
    throw .throttled(.loginAddress, retryAfter: wait)
  }

  /// Returns when none of the keys is held off: worth asking before expensive work.
  ///
  /// - Throws: RESOURCE_EXHAUSTED with the longest wait.
  func requireRoom(_ keys: [ThrottleKey]) async throws {
    try require(try await database.rows(ThrottlesOf(keys)))
  }

  /// The same, and until the transaction ends nothing is counted for a key that has a record.
  func requireRoom(_ keys: [ThrottleKey], in tx: Transaction) async throws {
    try require(try await tx.rows(LockedThrottles(keys)))
  }

  /// Counts an attempt for each of the keys, in a transaction of its own that outlasts the refusal which the attempt may end in.
  ///
  /// - Throws: RESOURCE_EXHAUSTED with the longest wait when one of them is held off; then nothing is counted.
  func count(_ keys: [ThrottleKey]) async throws {
    try await database.transaction { tx in _ = try await count(keys, in: tx) }
  }

  /// The same with the transaction.
  ///
  /// - Returns: the kinds that are locked from now on.
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

  /// Counts an attempt for each of the keys unless one of them is held off, for callers whose answer must not reveal which it was.
  ///
  /// - Returns: whether it was counted.
  func take(_ keys: [ThrottleKey], in tx: Transaction) async throws -> Bool {
    do {
      // Looked at first, and without a lock: where one key is full, the others get no row.
      try require(try await tx.rows(ThrottlesOf(keys)))
      try await count(keys, in: tx)
      return true
    } catch let refusal as Status where refusal.code == .resourceExhausted { return false }
  }

  private func require(_ found: [StoredThrottle]) throws(Status) {
    let now = clock.now
    let waits = found.compactMap { one in policies[one.key.kind].wait(one.record, at: now).map { (one.key, $0) } }
    for (key, wait) in waits where key.kind == .loginAddress {
      refusedAddresses.add(key.subject, until: now + wait, at: now)
    }
    guard let (key, wait) = waits.max(by: { $0.1 < $1.1 }) else { return }
    throw .throttled(key.kind, retryAfter: wait)
  }
}

/// Somebody who has typed a password for an account, or for a name that nobody has ([ID-10]).
struct PasswordAttempt: Sendable {
  private let name: ThrottleKey
  private let address: ThrottleKey

  /// A guess at the password of a known account.
  init(at account: UserID, from context: CallContext) {
    name = .passwords(of: account)
    address = .address(of: context, .loginAddress)
  }

  /// A guess at the password of whoever has the name, as it is compared.
  init(at name: String, from context: CallContext) {
    self.name = ThrottleKey(.loginName, subject: Digest.sha256("name:\(name)".utf8))
    address = .address(of: context, .loginAddress)
  }

  /// What stands for whose password it is, or for the name.
  var subject: [UInt8] { name.subject }

  /// What a wrong guess is counted for.
  var keys: [ThrottleKey] { [name, address] }

  /// Notes that the guess was right, unless so many wrong ones came before it meanwhile that it must not be told.
  ///
  /// Guesses at the same time are thereby judged as if they came one after the other.
  func succeed(_ throttles: Throttles, in tx: Transaction) async throws {
    try await throttles.requireRoom(keys, in: tx)
    try await tx.execute(ForgetThrottle(name))
  }
}

extension ThrottleKey {
  /// The wrong passwords for an account, under whichever of its names ([ID-10]).
  static func passwords(of account: UserID) -> ThrottleKey {
    ThrottleKey(.loginName, subject: Digest.sha256("account:\(account)".utf8))
  }

  /// Attempts by a user.
  static func user(_ account: UserID, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("account:\(account)".utf8))
  }

  /// Attempts about an e-mail address.
  static func email(_ email: EmailAddress, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("email:\(email.key)".utf8))
  }

  /// Attempts from where the call comes from.
  static func address(of context: CallContext, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("address:\(context.clientNetwork)".utf8))
  }

  /// Attempts about e-mail addresses of the same domain.
  static func domain(of email: EmailAddress, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("domain:\(email.domain.lowercased())".utf8))
  }

  /// Attempts of everybody.
  static func everybody(_ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("everybody".utf8))
  }

  /// What a registration counts for ([ID-17]).
  ///
  /// - Parameter email: `nil` where it is none.
  static func registration(of email: EmailAddress?, from context: CallContext) -> [ThrottleKey] {
    [.address(of: context, .registrationAddress), .everybody(.registrationAll)]
      + (email.map { [.domain(of: $0, .registrationDomain)] } ?? [])
  }

  /// The throttles of a resent verification mail to a registered address ([ID-17]). Unregistered addresses count for none of them, so that made-up
  /// ones do not use up a domain's limit.
  static func resendMail(to email: EmailAddress) -> [ThrottleKey] {
    [.domain(of: email, .resendDomain), .everybody(.resendAll)]
  }

  /// What asking for a reset mail counts for, whether or not anybody has the address ([ID-8]).
  static func reset(of email: EmailAddress, from context: CallContext) -> [ThrottleKey] {
    [.email(email, .resetEmail), .address(of: context, .resetAddress)]
  }

  /// The throttles of a reset mail to a registered address ([ID-17]).
  static func resetMail(to email: EmailAddress) -> [ThrottleKey] {
    [.domain(of: email, .resetDomain), .everybody(.resetAll)]
  }

  /// What asking for a passkey counts for ([ID-17]): strangers together, so that they cannot keep users who are logged in from adding one.
  static func passkeyStart(of account: UserID?, from context: CallContext) -> [ThrottleKey] {
    let address = ThrottleKey.address(of: context, .passkeyStartAddress)
    return account == nil ? [address, .everybody(.passkeyStartAll)] : [address]
  }
}

extension Status {
  /// [ID-10], [ID-8], [ID-17]. The same whether or not there is such an account.
  static func throttled(_ kind: ThrottleKind, retryAfter: Duration) -> Status {
    let (reason, text) =
      switch kind {
      case .loginName: ("LOGIN_LOCKED", "Too many wrong passwords; try again later, or reset the password")
      case .loginAddress: ("ADDRESS_THROTTLED", "Too many wrong passwords from this address; try again later")
      case .resetEmail: ("RESET_THROTTLED", "Too many mails were asked for; look for the last one, or try again later")
      case .resetAddress: ("ADDRESS_THROTTLED", "Too many mails were asked for from this address; try again later")
      case .registerAddress:
        ("ADDRESS_THROTTLED", "Too many registered addresses were tried from this address; try again later")
      case .federatedStart:
        ("ADDRESS_THROTTLED", "Too many logins were begun from this address; try again later")
      case .registrationAddress:
        ("ADDRESS_THROTTLED", "Too many accounts were registered from this address; try again later")
      case .resendAddress: ("ADDRESS_THROTTLED", "Too many mails were asked for from this address; try again later")
      case .passkeyStartAddress: ("ADDRESS_THROTTLED", "Too many passkeys were asked for from this address; try again")
      case .refusedPasswordAddress:
        ("ADDRESS_THROTTLED", "Too many new passwords from this address were refused; try again later")
      case .registrationDomain, .resendDomain, .resetDomain:
        ("DOMAIN_THROTTLED", "Too many mails were asked for to addresses of this domain; try again later")
      case .registrationAll: ("SERVICE_THROTTLED", "Too many accounts are being registered; try again later")
      case .resendAll, .resetAll: ("SERVICE_THROTTLED", "Too many mails are being asked for; try again later")
      case .passkeyStartAll: ("SERVICE_THROTTLED", "Too many passkeys are being asked for; try again shortly")
      case .report: ("TOO_MANY_REPORTS", "You have sent many reports today; try again later")
      case .usernameChange: ("TOO_MANY_USERNAMES", "You have changed your username often; try again later")
      case .strangerAdded: ("TOO_MANY_STRANGERS", "Too many of the addresses are unknown; try again later")
      }
    return Status(.resourceExhausted, reason: reason, text, retryAfter: retryAfter)
  }
}
