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
  /// Records that the user of the session knows the password: for a while this counts as a recent authentication
  /// ([ID-13]).
  package func confirmPassword(
    _ call: ConfirmPasswordRequest, _ context: CallContext
  ) async throws -> ConfirmPasswordResponse {
    let (account, session) = (try context.userID, try context.loginSessionID)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    if call.password.isEmpty { bad.add("password", "The password is missing", IdentityReason.passwordRequired) }
    try bad.check()
    let key = context.requestKey(requestID)
    if let first: ConfirmPasswordResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    guard let found = try await database.first(CredentialsByID(userID: account)) else { throw Status.notAUser }
    guard found.passwordHash != nil else { throw Status.freshLoginWithoutPasswordRequired }
    let guess = PasswordAttempt(at: account, in: session)
    let checked = try await check(Password(call.password), of: found, guess, by: context, orThrow: .passwordIncorrect)
    return try await idempotency.execute(call, key) { tx in
      // If the password was changed meanwhile, the checked one is no longer right.
      guard try await tx.first(HoldPassword(checked)) != nil else { throw Status.passwordIncorrect }
      try await guess.succeed(throttles, in: tx)
      let now = environment.clock.now
      guard try await tx.first(NoteSessionProof(now: now, sessionID: session, userID: account)) != nil else {
        throw Status.freshLoginRequired
      }
      return ConfirmPasswordResponse(expireTime: (now + Lifetimes.freshLogin).timestamp)
    }
  }
}
