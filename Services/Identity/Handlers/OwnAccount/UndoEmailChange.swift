import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity

extension Accounts {
  /// Gives an account the address back that the token was mailed to, and removes every way in that another person may
  /// have ([ID-15]).
  package func undoEmailChange(
    _ call: UndoEmailChangeRequest, _ context: CallContext
  ) async throws -> UndoEmailChangeResponse {
    let proof = try EmailChangeProof(call.token, call.requestID)
    let found = try await emailChange(of: proof.token, to: .undo)
    return try await idempotency.execute(call, requestKey(proof.requestID, of: found.userID, context)) { tx in
      let now = environment.clock.now
      let (change, owner) = try await locked(found, in: tx)
      guard let confirmedAt = change.confirmedAt else { throw BadFields.unknownEmailChangeToken }
      if let refusal = EmailChange.undoRefusal(confirmedAt: confirmedAt, undoneAt: change.undoneAt, now: now) {
        throw refusal
      }
      guard let before = try await tx.first(IdentityStore.OwnAccount(now: now, userID: change.userID)) else {
        throw Status.notAUser
      }
      let passkeys = try await tx.rows(PasskeysOf(userID: change.userID)).map(\.name)
      let ended = try await restore(change, now: now, in: tx)
      try await tell(of: change, passkeys: passkeys.count, identities: before.issuers.count, by: context, in: tx)
      return UndoEmailChangeResponse(
        userID: change.userID.description, email: change.oldEmail, undoneEmail: before.email,
        username: owner.credentials.username, endedSessionCount: Int32(ended), removedPasskeys: passkeys,
        removedProviders: linkedProviders(of: before.issuers))
    }
  }

  /// Returns how many sessions ended.
  private func restore(_ change: StoredEmailChange, now: Instant, in tx: Transaction) async throws -> Int {
    let account = change.userID
    let ended = try await endedSessions.endAll(of: account, in: tx)
    try await RememberedDevices.forgetAll(of: account, in: tx)
    try await tx.execute(DropPendingEmailChange(userID: account))
    // Those who have the addresses in between must not undo what this call does.
    try await tx.execute(UndoEmailChanges(now: now, userID: account, emailChangeID: change.emailChangeID))
    try await tx.execute(ClearLoginMethods(userID: account, now: now))
    try await replaceEmail(of: account, by: change.oldEmail, change.oldEmailKey, now: now, in: tx)
    // What another person used up must not keep the owner from undoing it.
    for key in [ThrottleKey.passwords(of: account), .user(account, .usernameChange), .user(account, .emailChange)] {
      try await tx.execute(ForgetThrottle(key))
    }
    return ended
  }

  /// Tells the restored address what was removed, and mails it a link to choose a password.
  private func tell(
    of change: StoredEmailChange, passkeys: Int, identities: Int, by context: CallContext, in tx: Transaction
  ) async throws {
    try await log.note(.emailChangeUndone, of: change.userID, by: context.origin, in: tx)
    try await securityMail.send(
      .emailRestored, to: change.userID, by: context.origin, about: "\(passkeys) and \(identities)", in: tx)
    try await tx.execute(
      InsertLinkMail(
        deliveryID: environment.newID(), userID: change.userID, content: .passwordReset, now: environment.clock.now))
  }
}
