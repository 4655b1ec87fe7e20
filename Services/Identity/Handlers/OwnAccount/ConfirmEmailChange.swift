import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Gives an account the address that the token was mailed to ([ID-15]).
  package func confirmEmailChange(
    _ call: ConfirmEmailChangeRequest, _ context: CallContext
  ) async throws -> ConfirmEmailChangeResponse {
    let proof = try EmailChangeProof(call.token, call.requestID)
    let found = try await emailChange(of: proof.token, to: .confirm)
    return try await idempotency.execute(call, requestKey(proof.requestID, of: found.userID, context)) { tx in
      let now = environment.clock.now
      let (change, owner) = try await locked(found, in: tx)
      guard !owner.credentials.isLocked else { throw Status.accountLocked }
      if let refusal = EmailChange.confirmationRefusal(
        requestedAt: change.requestedAt, confirmedAt: change.confirmedAt, now: now)
      {
        throw refusal
      }
      try await take(change, now: now, in: tx)
      // The address that a former change took away is restored by this one.
      try await tx.execute(VoidEmailChangesFrom(now: now, userID: change.userID, emailKey: change.newEmailKey))
      let undoneUntil = now + Lifetimes.emailUndo
      try await tx.execute(
        NoteEmailChangeConfirmed(now: now, expiresAt: undoneUntil, emailChangeID: change.emailChangeID))
      try await log.note(.emailChanged, of: change.userID, by: context.origin, in: tx)
      try await securityMail.send(
        .emailReplaced, to: change.userID, at: change.oldEmail, by: context.origin, about: change.newEmail,
        undoing: change.emailChangeID, in: tx)
      try await securityMail.send(.emailChanged, to: change.userID, by: context.origin, about: change.oldEmail, in: tx)
      return ConfirmEmailChangeResponse(
        userID: change.userID.description, email: change.newEmail, undoExpireTime: undoneUntil.timestamp)
    }
  }

  /// The change that a token confirms or undoes.
  ///
  /// - Throws: `EMAIL_CHANGE_TOKEN_INVALID` for an unknown token, or one whose change or account is gone.
  func emailChange(of token: SecretToken, to purpose: EmailChangePurpose) async throws -> StoredEmailChange {
    guard let found = try await database.first(EmailChangeByToken(tokenHash: token.hash, purpose: purpose)) else {
      throw BadFields.unknownEmailChangeToken
    }
    return found
  }

  /// The key of a call without a login that concerns an account: its response, which has the address, is deleted with
  /// the account ([C-9]).
  func requestKey(_ requestID: UUID7?, of account: UserID, _ context: CallContext) -> RequestKey? {
    requestID.map { RequestKey(caller: account.description, method: context.method.fullName, requestID: $0) }
  }

  /// A change and its account, both of which are locked.
  ///
  /// - Throws: `EMAIL_CHANGE_TOKEN_INVALID` when one of them is gone.
  func locked(
    _ found: StoredEmailChange, in tx: Transaction
  ) async throws -> (StoredEmailChange, LockedAccount.Row) {
    // Lock order of every change of both: profile, account.
    _ = try await tx.first(LockProfile(userID: found.userID))
    guard let owner = try await tx.first(LockedAccount(userID: found.userID)),
      let change = try await tx.first(LockedEmailChange(emailChangeID: found.emailChangeID))
    else { throw BadFields.unknownEmailChangeToken }
    return (change, owner)
  }

  private func take(_ change: StoredEmailChange, now: Instant, in tx: Transaction) async throws {
    // Checked before the update: writing a taken address would wait for its owner's transaction, which may wait for
    // this one.
    let isTaken = EmailIsTaken(emailKey: change.newEmailKey, userID: change.userID, now: now)
    guard try await tx.first(isTaken) == false else { throw NamesTaken(email: true, username: false) }
    try await tx.execute(FreeUnprovedEmail(emailKey: change.newEmailKey, now: now, userID: change.userID))
    try await replaceEmail(of: change.userID, by: change.newEmail, change.newEmailKey, now: now, in: tx)
  }

  /// Gives a locked account another address.
  ///
  /// - Throws: ``NamesTaken`` when another account has it or had it just now.
  func replaceEmail(
    of account: UserID, by email: String, _ key: String, now: Instant, in tx: Transaction
  ) async throws {
    do {
      try await tx.execute(ReplaceEmail(email: email, emailKey: key, userID: account, now: now))
    } catch let error as PostgresError where EmailConstraints.areBroken(by: error) {
      throw NamesTaken(email: true, username: false)
    }
  }
}

/// The validated fields of a request with the token of a link.
struct EmailChangeProof {
  let token: SecretToken
  let requestID: UUID7?

  init(_ token: String, _ requestID: String) throws {
    var fields = Violations()
    self.requestID = fields.requestID(requestID)
    let unknown = BadFields.unknownEmailChangeToken.violations[0]
    let typed = fields.require("token", SecretToken(token), unknown.description, unknown.reason)
    self.token = try fields.all(typed)
  }
}
