import Cryptography
import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Logging
import Postgres

/// Why no key is made now.
package enum KeyRotationRefusal: Error, Sendable, Hashable {
  /// Another key waits to take over: a new one must be published long enough for every service to fetch it.
  case underWay(retryAfter: Duration)
}

/// Manages the keys that sign access tokens: creates the first, rotates them, and follows changes by other replicas.
///
/// A new key is published before it signs, so that all verifiers have fetched it by then. An old key stays published
/// until its last token has expired.
package struct SigningKeyring: Sendable {
  private let database: Database
  private let seal: Seal
  private let environment: Environment
  private let tokens: AccessTokens
  private let log: SecurityLog
  private let logger: Logger

  /// The time for which a key signs before the next one takes over.
  private static let term: Duration = .seconds(30 * 24 * 3_600)
  /// The time from a key's publication to its first signature: more than twice as long as a service may cache the key
  /// set.
  private static let notice: Duration = .seconds(15 * 60)
  /// The time from a key's last signature to its removal, with an hour for clock differences.
  private static let afterlife: Duration = Lifetimes.accessToken + .seconds(3_600)

  /// - Parameter seal: what private keys are stored under.
  package init(
    database: Database, seal: Seal, environment: Environment, tokens: AccessTokens, logger: Logger
  ) {
    log = SecurityLog(environment: environment)
    self.database = database
    self.seal = seal
    self.environment = environment
    self.tokens = tokens
    self.logger = logger
  }

  /// Creates and removes keys that are due, and passes the current ones to `tokens`.
  package func look() async throws {
    let look = tokens.beginLook()
    let keyring = try self.keyring(of: try await currentKeys())
    if tokens.use(keyring, foundBy: look) {
      logger.info("signing keys changed", metadata: ["signing": "\(keyring.ring.signing.id)"])
    }
  }

  /// Creates a key in the transaction that takes over early, after the usual notice.
  ///
  /// - Throws: ``KeyRotationRefusal``; `IdentityFailure.starting` before the first key is made.
  package func rotate(by origin: CallOrigin, in tx: Transaction) async throws -> PublishedKey {
    try await tx.execute(LockSigningKeys())
    let (now, keys) = (environment.clock.now, try await tx.rows(SigningKeys()))
    guard let newest = keys.first else { throw IdentityFailure.starting }
    // The very first key has no notice to wait for.
    if keys.count > 1, now < newest.createdAt + Self.notice {
      throw KeyRotationRefusal.underWay(retryAfter: newest.createdAt + Self.notice - now)
    }
    // Creation times must increase, whatever the clock says.
    let key = try makeKey(at: max(now, newest.createdAt + .microseconds(1)))
    try await tx.execute(InsertSigningKey(key))
    try await log.note(.keyMade, of: nil, by: origin, in: tx)
    return Self.published([key] + keys, 0)
  }

  /// All keys, the newest first, after creating and removing those that are due.
  private func currentKeys() async throws -> [StoredSigningKey] {
    let now = environment.clock.now
    let stored = try await database.rows(SigningKeys())
    guard Self.needsKey(stored, at: now) || !Self.expired(stored, at: now).isEmpty else { return stored }
    return try await database.transaction { tx in
      try await tx.execute(LockSigningKeys())
      // Another replica may have created it already.
      var keys = try await tx.rows(SigningKeys())
      if Self.needsKey(keys, at: now) {
        let key = try makeKey(at: now)
        try await tx.execute(InsertSigningKey(key))
        try await log.note(.keyMade, of: nil, in: tx)
        keys.insert(key, at: 0)
      }
      let expired = Self.expired(keys, at: now).map(\.id)
      try await tx.execute(DeleteSigningKeys(ids: expired))
      return keys.filter { !expired.contains($0.id) }
    }
  }

  private static func needsKey(_ keys: [StoredSigningKey], at now: Instant) -> Bool {
    keys.first.map { now >= $0.createdAt + term } ?? true
  }

  private static func expired(_ keys: [StoredSigningKey], at now: Instant) -> [StoredSigningKey] {
    keys.indices.dropFirst().filter { now >= keys[$0 - 1].createdAt + notice + afterlife }.map { keys[$0] }
  }

  /// Signs with the newest key whose notice has passed, otherwise with the oldest.
  private func keyring(of keys: [StoredSigningKey]) throws -> Keyring {
    let now = environment.clock.now
    guard let signing = keys.first(where: { now >= $0.createdAt + Self.notice }) ?? keys.last else {
      preconditionFailure("a first key was just made")
    }
    let seed = try seal.open(signing.sealedPrivateKey, associated: Array(signing.id.utf8))
    let ring = KeyRing(
      signing: try SigningKey(seed: seed),
      retired: try keys.filter { $0.id != signing.id }.map { try VerificationKey(publicKey: $0.publicKey) })
    return Keyring(ring: ring, published: keys.indices.map { Self.published(keys, $0) })
  }

  private static func published(_ keys: [StoredSigningKey], _ index: Int) -> PublishedKey {
    let (key, isOldest) = (keys[index], index == keys.count - 1)
    return PublishedKey(
      id: key.id, publicKey: key.publicKey, signsFrom: isOldest ? key.createdAt : key.createdAt + notice,
      worksUntil: index == 0 ? nil : keys[index - 1].createdAt + notice + Lifetimes.accessToken)
  }

  private func makeKey(at now: Instant) throws -> StoredSigningKey {
    let seed = environment.randomness.bytes(32)
    let key = try SigningKey(seed: seed).verificationKey
    let sealed = try seal.seal(seed, associated: Array(key.id.utf8))
    return StoredSigningKey(id: key.id, publicKey: key.publicKey, sealedPrivateKey: sealed, createdAt: now)
  }
}
