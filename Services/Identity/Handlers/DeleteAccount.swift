import FieldViolations
import Idempotency
import IdentityDomain
import IdentityOperations
import IdentityStore
import Identifiers
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Deletes the caller's account and has every service delete the user's data ([ID-13], [C-9]).
  package func deleteAccount(
    _ call: DeleteAccountRequest, _ context: CallContext
  ) async throws -> DeleteAccountResponse {
    let (account, session) = (try context.userID, try context.loginSessionID)
    guard let found = try await database.first(CredentialsByID(userID: account)) else { throw Status.notAUser }
    let order = try DeletionOrder(call, of: found)
    let guess = found.passwordHash == nil ? nil : PasswordAttempt(at: account, in: session)
    // Outside the transaction, which must not wait for a hash. The transaction checks that the password is still the
    // same.
    let checked = try await prove(order, found, guess, context)
    let deletion = AccountDeletion(endedSessions: endedSessions, events: events, clock: environment.clock)
    try await deletion.removePushes(of: account, in: database)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      // Lock order of every change of a reminder: profile, job, account, which a running reminder needs. A transaction
      // that holds the profile lock may still schedule a job.
      _ = try await tx.first(LockProfile(userID: account))
      try await reminders.clear(account, in: tx)
      guard let locked = try await tx.first(LockedAccount(userID: account)) else { throw Status.notAUser }
      guard locked.credentials.passwordRevision == checked.passwordRevision else { throw Status.passwordIncorrect }
      try await guess?.succeed(throttles, in: tx)
      let now = try await deletion.remove(locked, by: context.method.fullName, in: tx)
      return DeleteAccountResponse(deleteTime: now.timestamp)
    }
  }

  /// Returns the account if the password is right or, for an account without a password, the authentication is recent.
  private func prove(
    _ order: DeletionOrder, _ found: Credentials, _ guess: PasswordAttempt?, _ context: CallContext
  ) async throws -> Credentials {
    if let guess {
      return try await check(order.password, of: found, guess, by: context, orThrow: .passwordIncorrect)
    }
    try await recentAuthentication.require(context)
    return found
  }
}

/// The validated fields of the request.
private struct DeletionOrder {
  /// `nil` for a text that cannot be a password.
  let password: Password?
  let requestID: UUID7?

  /// - Parameter account: an account without a password requires none in the request.
  init(_ call: DeleteAccountRequest, of account: Credentials) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    if call.password.isEmpty, account.passwordHash != nil {
      fields.add("password", "The password is missing", IdentityReason.passwordRequired)
    }
    try fields.check()
    password = Password(call.password)
  }
}
