import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemEvents
import TandemIdentity
import UserCalls

extension Accounts {
  /// Replaces a forgotten password, by the token mailed to the account's address ([ID-8]).
  ///
  /// The token proves access to the address, so the account becomes verified. All its sessions end, and so does a
  /// lockout.
  package func resetPassword(
    _ call: ResetPasswordRequest, _ context: CallContext
  ) async throws -> ResetPasswordResponse {
    let typed = SecretToken(call.token)
    let found =
      if let typed { try await database.first(ResetByHash(tokenHash: typed.hash)) } else { nil as ResetByHash.Row? }
    let key = context.requestKey(UUID7(call.requestID))
    if let first: ResetPasswordResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    // Before the password is checked, so that a used link cannot be used to waste the time of the check ([ID-17]).
    if let found { try Self.requireUsable(found, at: environment.clock.now) }
    let wish = try await judged(for: context) { judge in
      try await ResetPasswordWish(call, of: found, judge, reservedUsernames)
    }
    guard let typed, let found else { throw BadFields.unknownResetToken }
    let hash = try await passwords.hash(wish.password.bytes, of: context.clientNetwork)
    let (token, checked) = (typed.hash, found.credentials)
    return try await idempotency.execute(call, key) { tx in
      let now = environment.clock.now
      guard try await tx.first(LockPassword(checked)) != nil,
        try await tx.first(UseReset(now: now, tokenHash: token)) != nil
      else {
        // Another use of the token won, or the password was changed meanwhile.
        guard let current = try await tx.first(ResetByHash(tokenHash: token)) else { throw BadFields.unknownResetToken }
        try Self.requireUsable(current, at: now)
        throw Status.concurrentChange
      }
      try await tx.execute(ReplacePassword(checked, passwordHash: hash.description))
      if try await verify(checked.userID, named: wish.username, in: tx) {
        // The user who registered the account never proved ownership of the address, so identities linked before are
        // removed.
        try await tx.execute(DeleteIdentitiesOf(userID: checked.userID))
      }
      try await tx.execute(ForgetThrottle(.passwords(of: checked.userID)))
      try await log.note(.passwordReset, of: checked.userID, by: context.origin, in: tx)
      try await securityMail.send(
        checked.passwordHash == nil ? .passwordAdded : .passwordReset, to: checked.userID, by: context.origin, in: tx)
      try await endedSessions.endAll(of: checked.userID, in: tx)
      try await RememberedDevices.forgetAll(of: checked.userID, in: tx)
      return ResetPasswordResponse(userID: checked.userID.description)
    }
  }

  private static func requireUsable(_ token: ResetByHash.Row, at now: Instant) throws(PasswordReset.TokenRefusal) {
    if let refusal = PasswordReset.refusal(issuedAt: token.issuedAt, usedAt: token.usedAt, now: now) { throw refusal }
  }
}

/// The validated fields of the request.
private struct ResetPasswordWish {
  let password: Password
  let username: Username?

  /// - Parameter found: the token, and the account that it belongs to; `nil` for an unknown token. Then no password is
  ///   checked, so that invented tokens cause no work ([ID-17]).
  init(_ call: ResetPasswordRequest, of found: ResetByHash.Row?, _ judge: PasswordPolicy, _ reserved: ReservedUsernames)
    async throws
  {
    var fields = Violations()
    _ = fields.requestID(call.requestID)
    // The username of a verified account stays, whatever the request says.
    username = found?.credentials.isVerified == true ? nil : fields.otherUsername(call.username, reserved)
    let judged: Result<Password, Password.Weakness>
    if let found {
      let names = [found.credentials.username, found.email] + (username.map { [$0.spelling] } ?? [])
      judged = try await judge.judge(call.newPassword, names: names)
    } else {
      for unknown in BadFields.unknownResetToken.violations {
        fields.add(unknown.field, unknown.description, unknown.reason)
      }
      judged = Password.ofNewLength(call.newPassword)
    }
    let password = fields.newPassword("new_password", judged)
    self.password = try fields.all(password)
  }
}
