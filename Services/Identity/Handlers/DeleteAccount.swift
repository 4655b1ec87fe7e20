import FieldViolations
import Idempotency
import Cryptography
import IdentityDomain
import IdentityStore
import Identifiers
import TTRPC
import TandemEvents
import TandemIdentity

extension Accounts {
  /// Deletes the caller's account, and has every service forget the person ([ID-13], [C-9]).
  package func deleteAccount(
    _ call: DeleteAccountRequest, _ context: CallContext
  ) async throws -> DeleteAccountResponse {
    let departure = try Departure(call)
    let account = try context.accountID
    // Before the transaction, which must not wait for a hash; in it the hash is compared with what was checked here.
    let checked = try await checkedHash(departure.password, of: account)
    return try await replays.once(call, context.requestKey(departure.requestID)) { tx in
      // In the order of all who change a reminder: the profile, the job and then the account, which a reminder that is being given needs. Whoever
      // has the profile may still put a job on.
      _ = try await tx.first(LockedProfile(of: account))
      try await timetable.clear(account, in: tx)
      guard let locked = try await tx.first(LockedAccount(account)) else { throw Status.notAUser }
      guard locked.credentials.passwordHash == checked else { throw Status.passwordIncorrect }
      let now = ambient.clock.now
      try await endedSessions.endAll(of: account, in: tx)
      try await tx.execute(
        DeleteAccountRow(account, emailHash: Digest.sha256(locked.emailKey.utf8), by: context.method.fullName, now: now)
      )
      try await events.publish(
        AccountDeleted(userID: account.description, deleteTime: now.timestamp), in: tx)
      return DeleteAccountResponse(deleteTime: now.timestamp)
    }
  }

  /// The stored hash that the password matches.
  private func checkedHash(_ password: Password?, of account: AccountID) async throws -> String {
    guard let found = try await database.first(CredentialsByID(account)) else { throw Status.notAUser }
    let stored = PasswordHash(found.passwordHash)
    let verdict = try await passwords.verify(password?.bytes ?? [], against: password == nil ? nil : stored)
    guard verdict.matches else { throw Status.passwordIncorrect }
    return found.passwordHash
  }
}

/// A request to leave.
private struct Departure {
  /// `nil` for a text that nobody can have chosen.
  let password: Password?
  let requestID: UUID7?

  init(_ call: DeleteAccountRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    if call.password.isEmpty { fields.add("password", "The password is missing", "PASSWORD_REQUIRED") }
    try fields.check()
    password = Password(call.password)
  }
}
