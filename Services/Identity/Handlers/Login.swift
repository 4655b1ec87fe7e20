import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TandemIdentity
import TTRPC

extension Accounts {
  /// Starts a session for who knows the password ([ID-5]).
  package func login(_ call: LoginRequest, _ context: CallContext) async throws -> LoginResponse {
    let attempt = try LoginAttempt(call)
    let key = context.requestKey(attempt.requestID)
    if let first: LoginResponse = try await replays.firstAnswer(to: call, key) { return first }
    let account = try await verifiedAccount(attempt)
    return try await replays.once(call, key) { tx in
      let now = ambient.clock.now
      let (session, refreshToken) = (ambient.newID() as SessionID, RefreshToken(randomness: ambient.randomness))
      try await insert(
        InsertSession(
          id: session, accountID: account, hashes: refreshToken.hashes, deviceLabel: attempt.deviceLabel,
          address: context.address, now: now), tx)
      let accessToken = try tokens.token(for: account, session: session)
      return LoginResponse(
        sessionID: session.description, userID: account.description, accessToken: accessToken.text,
        accessTokenExpireTime: accessToken.expiresAt.timestamp, refreshToken: refreshToken.text,
        refreshTokenExpireTime: (now + Lifetimes.refreshToken).timestamp)
    }
  }

  private func insert(_ session: InsertSession, _ tx: Transaction) async throws {
    do { try await tx.execute(session) } catch let error as PostgresError
      where error.constraint == "sessions_account_fkey"
    {
      // The account was deleted since its password was checked.
      throw Status.incorrectCredentials
    }
  }

  /// Whose the right password is. The work is the same whether or not there is such an account ([ID-5]).
  private func verifiedAccount(_ attempt: LoginAttempt) async throws -> AccountID {
    let found = try await credentials(of: attempt.name)
    let stored = found.flatMap { PasswordHash($0.passwordHash) }
    let verdict = try await passwords.verify(
      attempt.password?.bytes ?? [], against: attempt.password == nil ? nil : stored)
    guard let found, let password = attempt.password, verdict.matches else { throw Status.incorrectCredentials }
    if verdict.needsRehash {
      let hash = try await passwords.hash(password.bytes)
      try await database.write(
        ReplacePasswordHash(of: found.accountID, old: found.passwordHash, new: hash.description))
    }
    guard found.isVerified else { throw Status.emailNotVerified }
    return found.accountID
  }

  private func credentials(of name: LoginAttempt.Name?) async throws -> Credentials? {
    switch name {
    case .email(let email): try await database.first(CredentialsByEmail(email, now: ambient.clock.now))
    case .username(let username): try await database.first(CredentialsByUsername(username, now: ambient.clock.now))
    // Nobody has such a name; the time that the look would take does not count beside the hash.
    case nil: nil
    }
  }
}

/// A login that is worth trying.
private struct LoginAttempt {
  enum Name {
    case email(EmailAddress)
    case username(Username)
  }

  /// `nil` for a text that nobody can have registered.
  let name: Name?
  /// `nil` for a text that nobody can have chosen.
  let password: Password?
  let deviceLabel: String
  let requestID: UUID7?

  private static let longestLabel = 100

  init(_ call: LoginRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    if call.emailOrUsername.isEmpty {
      fields.add("email_or_username", "The email address or username is missing", "NAME_REQUIRED")
    }
    if call.password.isEmpty { fields.add("password", "The password is missing", "PASSWORD_REQUIRED") }
    let label = call.deviceLabel
    if label.unicodeScalars.count > Self.longestLabel || label.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      fields.add(
        "device_label", "The device label may have at most 100 characters and no control characters",
        "DEVICE_LABEL_INVALID")
    }
    try fields.check()
    deviceLabel = label
    password = Password(call.password)
    name =
      call.emailOrUsername.utf8.contains(UInt8(ascii: "@"))
      ? EmailAddress(call.emailOrUsername).map { .email($0) } : Username(call.emailOrUsername).map { .username($0) }
  }
}
