public import Environment
public import Cryptography
public import Identifiers
public import Postgres

/// Who began an attempt, and alone may bring it back.
public enum AttemptOwner: Sendable, Hashable {
  /// A browser or app that keeps the secret with this hash (SHA-256).
  case browser(handleHash: [UInt8])
  /// Somebody who is logged in, by the account's id.
  case user(UUID7)

  var handleHash: [UInt8]? { if case .browser(let hash) = self { hash } else { nil } }
  var user: UUID7? { if case .user(let id) = self { id } else { nil } }
}

/// An attempt that was brought back.
public struct UsedAttempt: Sendable {
  /// Where the user was sent, as `begin` was told.
  public let provider: String
  /// Where the browser was sent back to.
  public let redirectURI: String
  /// For the token endpoint.
  public let codeVerifier: String
  /// For the ID token.
  public let nonce: String
}

/// Sends users to providers and knows them again: each attempt once, for ten minutes, by whom it was begun.
public struct AuthorizationAttempts: Sendable {
  /// From the moment that somebody is sent away.
  public static let lifetime: Duration = .seconds(600)

  private let database: Database
  private let seal: Seal
  private let environment: Environment

  /// Attempts are rows of the table `authorization_attempts` of `database`; what has to stay secret of them is sealed.
  public init(database: Database, seal: Seal, environment: Environment) {
    self.database = database
    self.seal = seal
    self.environment = environment
  }

  /// Begins an attempt with the transaction.
  ///
  /// - Parameters:
  ///   - provider: 1 to 64 characters by which the caller knows the provider again.
  ///   - redirectURI: one that the settings allow, not one that a stranger has sent.
  /// - Throws: what the database throws; nothing of it is left then.
  public func begin(
    for owner: AttemptOwner, at provider: String, redirectURI: String, in tx: Transaction
  ) async throws -> AttemptSecrets {
    let secrets = AttemptSecrets(randomness: environment.randomness)
    let hash = secrets.state.hash
    let sealed = try seal.seal(Array((secrets.codeVerifier + secrets.nonce).utf8), associated: hash)
    try await tx.execute(
      InsertAttempt(
        stateHash: hash, owner: owner, provider: provider, redirectURI: redirectURI, sealedSecrets: sealed,
        now: environment.clock.now))
    return secrets
  }

  /// Uses an attempt up, in a transaction of its own: whatever comes of it, the state works for nobody again.
  ///
  /// - Returns: `nil` when the state is of no attempt that `owner` began within its lifetime, or was used before.
  /// - Throws: ``Cryptography/UnsealError`` when the attempt was sealed with a key that is not there any more; what the database throws.
  public func use(state: String, by owner: AttemptOwner) async throws -> UsedAttempt? {
    guard let hash = SecretToken(state)?.hash else { return nil }
    let use = UseAttempt(stateHash: hash, owner: owner, begunAfter: environment.clock.now - Self.lifetime)
    guard let row = try await database.write(use).first, row.isLiving else { return nil }
    let secrets = String(decoding: try seal.open(row.sealedSecrets, associated: hash), as: UTF8.self)
    return UsedAttempt(
      provider: row.provider, redirectURI: row.redirectURI,
      codeVerifier: String(secrets.prefix(AttemptSecrets.length)),
      nonce: String(secrets.suffix(AttemptSecrets.length)))
  }
}
