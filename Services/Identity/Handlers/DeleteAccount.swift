import FieldViolations
import Idempotency
import IdentityDomain
import IdentityStore
import Identifiers
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Deletes the caller's account, and has every service forget the user ([ID-13], [C-9]).
  package func deleteAccount(
    _ call: DeleteAccountRequest, _ context: CallContext
  ) async throws -> DeleteAccountResponse {
    let account = try context.userID
    guard let found = try await database.first(CredentialsByID(account)) else { throw Status.notAUser }
    let departure = try Departure(call, of: found)
    let guess = found.passwordHash == nil ? nil : PasswordAttempt(at: account, from: context)
    // Before the transaction, which must not wait for a hash; in it the password must still be the one that was checked here.
    let checked = try await prove(departure, found, guess, context)
    return try await idempotency.execute(call, context.requestKey(departure.requestID)) { tx in
      // In the order of all who change a reminder: the profile, the job and then the account, which a reminder that is being given needs. Whoever
      // has the profile may still put a job on.
      _ = try await tx.first(LockedProfile(of: account))
      try await timetable.clear(account, in: tx)
      guard let locked = try await tx.first(LockedAccount(account)) else { throw Status.notAUser }
      guard locked.credentials.passwordRevision == checked.passwordRevision else { throw Status.passwordIncorrect }
      try await guess?.succeed(throttles, in: tx)
      let now = try await AccountDeletion(endedSessions: endedSessions, events: events, clock: environment.clock)
        .remove(locked, by: context.method, in: tx)
      return DeleteAccountResponse(deleteTime: now.timestamp)
    }
  }

  /// The account, if the caller has its password; or has just logged in to it, where it has none.
  private func prove(
    _ departure: Departure, _ found: Credentials, _ guess: PasswordAttempt?, _ context: CallContext
  ) async throws -> Credentials {
    if let guess {
      return try await check(departure.password, of: found, guess, by: context, orThrow: .passwordIncorrect)
    }
    try await recentAuthentication.require(context)
    return found
  }
}

/// A request to leave.
private struct Departure {
  /// `nil` for a text that nobody can have chosen.
  let password: Password?
  let requestID: UUID7?

  /// - Parameter account: an account without a password has none to be typed.
  init(_ call: DeleteAccountRequest, of account: Credentials) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    if call.password.isEmpty, account.passwordHash != nil {
      fields.add("password", "The password is missing", "PASSWORD_REQUIRED")
    }
    try fields.check()
    password = Password(call.password)
  }
}
