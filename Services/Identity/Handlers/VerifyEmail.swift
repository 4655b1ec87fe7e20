import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TandemEvents
import TandemIdentity
import TTRPC
import UserCalls

extension Accounts {
  /// Verifies an account by the token mailed to its address ([ID-4]).
  ///
  /// The token proves the address. Only the registration's secret proves that the same user registered; without it
  /// nothing of what the account was registered with can be logged in with ([ID-17]).
  package func verifyEmail(_ call: VerifyEmailRequest, _ context: CallContext) async throws -> VerifyEmailResponse {
    let key = context.requestKey(UUID7(call.requestID))
    if let first: VerifyEmailResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let token = SecretToken(call.token)
    let found = if let token { try await registration(of: token) } else { nil as VerificationByHash.Row? }
    // Before the password is checked, so that a used link cannot be used to waste the time of the check ([ID-17]).
    if let found, let refusal = refusal(of: found, for: call) {
      // The same request may have used the link while its repetition was on its way here.
      if let first: VerifyEmailResponse = try await idempotency.firstAnswer(to: call, key) { return first }
      throw refusal
    }
    let proof = try await proof(call, of: found, context)
    guard let token, let found else { throw BadFields.unknownVerificationToken }
    let hash: PasswordHash? =
      if let password = proof.password { try await passwords.hash(password.bytes, of: context.clientNetwork) } else {
        nil
      }
    return try await idempotency.execute(call, key) { tx in
      try await use(token, for: call, in: tx)
      guard try await verify(found.credentials.userID, named: proof.username, in: tx) else {
        return VerifyEmailResponse(userID: found.credentials.userID.description)
      }
      if proof.prover == .other { try await tx.execute(DeleteIdentitiesOf(userID: found.credentials.userID)) }
      if let hash { try await choose(hash, for: found.credentials, by: context, in: tx) }
      return VerifyEmailResponse(userID: found.credentials.userID.description)
    }
  }

  /// The registration that a token verifies; `nil` when there is none, or it has lapsed: it counts as deleted, whether
  /// or not its row has been removed yet ([ID-1]).
  private func registration(of token: SecretToken) async throws -> VerificationByHash.Row? {
    guard let found = try await database.first(VerificationByHash(tokenHash: token.hash)),
      Verification.holdsNames(
        registeredAt: found.registeredAt, verifiedAt: found.verifiedAt, now: environment.clock.now)
    else { return nil }
    return found
  }

  private func refusal(
    of found: VerificationByHash.Row, for call: VerifyEmailRequest
  ) -> Verification.TokenRefusal? {
    // A password for an account that was verified by another link is not taken: it would be a reset without its effects.
    if found.verifiedAt != nil, !call.password.isEmpty { return .used }
    return Verification.refusal(issuedAt: found.issuedAt, usedAt: found.usedAt, now: environment.clock.now)
  }

  private func proof(
    _ call: VerifyEmailRequest, of found: VerificationByHash.Row?, _ context: CallContext
  ) async throws -> Proof {
    // Without a password nothing is judged that a client could waste time with.
    guard !call.password.isEmpty else { return try await Proof(call, of: found, judge, reservedUsernames) }
    return try await judged(for: context) { judge in try await Proof(call, of: found, judge, reservedUsernames) }
  }

  /// Locks the account and its token, and uses the token up.
  private func use(_ token: SecretToken, for call: VerifyEmailRequest, in tx: Transaction) async throws {
    let now = environment.clock.now
    guard try await tx.first(LockAccountOfVerification(tokenHash: token.hash)) != nil,
      let issued = try await tx.first(LockedVerification(tokenHash: token.hash)),
      Verification.holdsNames(registeredAt: issued.registeredAt, verifiedAt: issued.verifiedAt, now: now)
    else { throw BadFields.unknownVerificationToken }
    if let refusal = Verification.refusal(issuedAt: issued.issuedAt, usedAt: issued.usedAt, now: now) { throw refusal }
    if issued.verifiedAt != nil, !call.password.isEmpty { throw Verification.TokenRefusal.used }
    try await tx.execute(UseVerification(now: now, tokenHash: token.hash))
  }

  /// Gives an account that was just verified its password, in place of the one that it was registered with.
  private func choose(
    _ hash: PasswordHash, for registered: Credentials, by context: CallContext, in tx: Transaction
  ) async throws {
    guard try await tx.first(ReplacePassword(registered, passwordHash: hash.description)) != nil else {
      throw Status.concurrentChange
    }
    // A stranger who registered the address cannot have locked its owner out.
    try await tx.execute(ForgetThrottle(.passwords(of: registered.userID)))
    try await log.note(.passwordReset, of: registered.userID, by: context.origin, in: tx)
  }

  /// Verifies an account, unless it is verified already, and thereby gives it its username ([ID-17]).
  ///
  /// - Parameter username: another one than it was registered with; `nil` for that.
  /// - Returns: whether it was verified by this.
  /// - Throws: ``NamesTaken`` when another user has the username, or it is reserved for one.
  func verify(_ account: UserID, named username: Username?, in tx: Transaction) async throws -> Bool {
    let now = environment.clock.now
    if let username { try await tx.execute(FreeLapsedUsername(username: username, now: now)) }
    let verified = VerifyAccount(now: now, username: username?.spelling, userID: account)
    let name: String?
    do { name = try await tx.first(verified) } catch let error as PostgresError
      where UsernameConstraints.areBroken(by: error)
    {
      throw NamesTaken(email: false, username: true)
    }
    guard let name else { return false }
    try await events.publish(AccountNamed(userID: account.description, username: name), in: tx)
    try await notifier.notify([.welcome(account)], in: tx)
    return true
  }
}

extension Violations {
  /// The username that a link's holder chooses for an account, or `nil` where the field is empty.
  mutating func otherUsername(_ text: String, _ reserved: ReservedUsernames) -> Username? {
    guard !text.isEmpty else { return nil }
    let username = require("username", Username(text), Username.refusal, IdentityReason.usernameInvalid)
    refuse(username, reservedBy: reserved)
    return username
  }
}

/// The validated fields of the request.
private struct Proof {
  let prover: Verification.Prover
  /// `nil` when the password of the registration stays.
  let password: Password?
  let username: Username?

  /// - Parameter found: the registration that the token verifies; `nil` for an unknown token. Then no password is
  ///   checked, so that invented tokens cause no work ([ID-17]).
  init(
    _ call: VerifyEmailRequest, of found: VerificationByHash.Row?, _ judge: PasswordPolicy,
    _ reserved: ReservedUsernames
  ) async throws {
    var fields = Violations()
    _ = fields.requestID(call.requestID)
    username = fields.otherUsername(call.username, reserved)
    prover = Self.prover(call, of: found)
    if found == nil { for unknown in BadFields.unknownVerificationToken.violations { fields.add(unknown) } }
    if !call.password.isEmpty {
      password = fields.newPassword("password", try await Self.judged(call, found, username, judge))
    } else {
      password = nil
      if let found, found.verifiedAt == nil, prover == .other {
        fields.add(
          "password", "Enter a password, or open the link where you registered", IdentityReason.passwordRequired)
      }
    }
    try fields.check()
  }

  private static func judged(
    _ call: VerifyEmailRequest, _ found: VerificationByHash.Row?, _ username: Username?, _ judge: PasswordPolicy
  ) async throws -> Result<Password, Password.Weakness> {
    guard let found else { return Password.ofNewLength(call.password) }
    let names = [username?.spelling ?? found.credentials.username, found.email]
    return try await judge.judge(call.password, names: names)
  }

  private static func prover(_ call: VerifyEmailRequest, of found: VerificationByHash.Row?) -> Verification.Prover {
    guard let given = SecretToken(call.registrationSecret), let kept = found?.registrationSecretHash,
      Digest.constantTimeEquals(given.hash, kept)
    else { return .other }
    return .registrant
  }
}
