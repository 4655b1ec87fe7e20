public import Environment
public import Cryptography
public import Identifiers
public import Postgres

/// The owner of an attempt, who alone may complete it.
public enum AttemptOwner: Sendable, Hashable {
  /// A browser or app that keeps the secret with this hash (SHA-256).
  case browser(handleHash: [UInt8])
  /// A user who is logged in.
  case user(UserID)

  var handleHash: [UInt8]? { if case .browser(let hash) = self { hash } else { nil } }
  var userID: UserID? { if case .user(let id) = self { id } else { nil } }
}

/// Which proof of identity a provider may accept from the user.
public enum RequestedProof: String, Sendable, Hashable {
  /// An earlier one that it remembers for the browser.
  case remembered = ""
  /// A new one, of which the provider must state the time.
  case new = "N"
}

/// An attempt that was used.
public struct UsedAttempt: Sendable {
  /// The provider, as passed to `begin`.
  public let provider: String
  /// The URI that the browser was redirected to.
  public let redirectURI: String
  /// The code verifier for the token endpoint.
  public let codeVerifier: String
  /// The nonce that the ID token must have.
  public let nonce: String
  /// The proof that the provider was asked for.
  public let proof: RequestedProof
  /// The note that was passed to `begin`.
  public let note: String
}

/// Stores the attempts for which users are sent to providers: each can be used once, within ten minutes, by its owner.
public struct AuthorizationAttempts: Sendable {
  /// Counted from when the user is sent to the provider.
  public static let lifetime: Duration = .seconds(600)

  private let database: Database
  private let seal: Seal
  private let environment: Environment

  /// Attempts are rows of the table `authorization_attempts` of `database`; their secrets are sealed.
  public init(database: Database, seal: Seal, environment: Environment) {
    self.database = database
    self.seal = seal
    self.environment = environment
  }

  /// Begins an attempt in the transaction.
  ///
  /// - Parameters:
  ///   - provider: the caller's name of the provider, 1 to 64 characters.
  ///   - redirectURI: one that the settings allow, never one that a client has sent.
  ///   - proof: the proof that the provider is asked for.
  ///   - note: what the caller wants to know when the attempt is used; it is sealed, too.
  /// - Throws: the database's errors; then the attempt is not stored.
  public func begin(
    for owner: AttemptOwner, at provider: String, redirectURI: String, proof: RequestedProof = .remembered,
    note: String = "", in tx: Transaction
  ) async throws -> AttemptSecrets {
    let secrets = AttemptSecrets(randomness: environment.randomness)
    let hash = secrets.state.hash
    let sealed = try seal.seal(
      Array((secrets.codeVerifier + secrets.nonce + proof.rawValue + (note.isEmpty ? "" : "\n\(note)")).utf8),
      associated: hash)
    try await tx.execute(
      InsertAttempt(
        stateHash: hash, handleHash: owner.handleHash, userID: owner.userID, provider: provider,
        redirectURI: redirectURI, sealedSecrets: sealed, now: environment.clock.now))
    return secrets
  }

  /// Uses an attempt up, in a transaction of its own: whatever happens next, the state cannot be used again.
  ///
  /// - Returns: `nil` when the state is of no attempt that `owner` began within its lifetime, or was used before.
  /// - Throws: ``Cryptography/UnsealError`` when the key that the attempt was sealed with is gone; the database's
  ///   errors.
  public func use(state: String, by owner: AttemptOwner) async throws -> UsedAttempt? {
    guard let hash = SecretToken(state)?.hash else { return nil }
    let use = UseAttempt(
      stateHash: hash, handleHash: owner.handleHash, userID: owner.userID,
      begunAfter: environment.clock.now - Self.lifetime)
    guard let row = try await database.write(use).first, row.isLiving else { return nil }
    let secrets = String(decoding: try seal.open(row.sealedSecrets, associated: hash), as: UTF8.self)
    let rest = secrets.dropFirst(AttemptSecrets.length)
    let words = rest.dropFirst(AttemptSecrets.length)
    let proof = words.prefix { $0 != "\n" }
    return UsedAttempt(
      provider: row.provider, redirectURI: row.redirectURI,
      codeVerifier: String(secrets.prefix(AttemptSecrets.length)),
      nonce: String(rest.prefix(AttemptSecrets.length)),
      proof: RequestedProof(rawValue: String(proof)) ?? .new, note: String(words.dropFirst(proof.count + 1)))
  }
}
