import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TandemIdentity
import TTRPC

extension Accounts {
  /// Replaces the caller's password after checking the old one, and ends the other sessions ([ID-9]).
  package func changePassword(
    _ call: ChangePasswordRequest, _ context: CallContext
  ) async throws -> ChangePasswordResponse {
    let (account, session) = (try context.userID, try context.loginSessionID)
    guard let found = try await database.first(NamesByID(userID: account)) else { throw Status.notAUser }
    let key = context.requestKey(UUID7(call.requestID))
    if let first: ChangePasswordResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let guess = PasswordAttempt(at: account, in: session)
    let change = try await judged(for: context, after: guess.keys) { judge in
      try await PasswordChange(call, of: found, judge)
    }
    let checked = try await check(change.old, of: found.credentials, guess, by: context, orThrow: .passwordIncorrect)
    let hash = try await passwords.hash(change.new.bytes, of: context.clientNetwork)
    return try await idempotency.execute(call, key) { tx in
      // If the password was changed meanwhile, the checked one is no longer right.
      guard try await tx.first(ReplacePassword(checked, passwordHash: hash.description)) != nil else {
        throw Status.passwordIncorrect
      }
      try await guess.succeed(throttles, in: tx)
      try await log.note(.passwordChanged, of: account, session: session, by: context.origin, in: tx)
      try await securityMail.send(.passwordChanged, to: account, by: context.origin, in: tx)
      try await endedSessions.endAll(of: account, except: session, in: tx)
      // A person who has a copy of the session's token may have requested it.
      try await tx.execute(DropPendingEmailChange(userID: account))
      try await RememberedDevices.forgetAll(of: account, except: session, in: tx)
      return ChangePasswordResponse()
    }
  }
}

/// The validated fields of the request.
private struct PasswordChange {
  /// `nil` for a text that cannot be a password.
  let old: Password?
  let new: Password

  init(_ call: ChangePasswordRequest, of account: NamesByID.Row, _ judge: PasswordPolicy) async throws {
    var fields = Violations()
    _ = fields.requestID(call.requestID)
    if call.oldPassword.isEmpty {
      fields.add("old_password", "The password is missing", IdentityReason.passwordRequired)
    }
    old = Password(call.oldPassword)
    let new = fields.newPassword(
      "new_password", try await judge.judge(call.newPassword, names: [account.credentials.username, account.email]))
    if let old, let new, !PasswordReset.mayReplace(old, by: new) {
      fields.add("new_password", "The new password must differ from the old one", IdentityReason.passwordUnchanged)
    }
    self.new = try fields.all(new)
  }
}
