import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC

/// Requires that the caller has authenticated recently ([ID-13]): an unattended open session is not enough to change
/// the login methods of its account.
struct RecentAuthentication: Sendable {
  let database: Database
  let clock: any WallClock

  /// - Throws: `FRESH_LOGIN_REQUIRED` when the authentication is too long ago.
  func require(_ context: CallContext) async throws {
    try check(try await database.first(SessionProof(sessionID: try context.loginSessionID, userID: try context.userID)))
  }

  /// Checks within the transaction, so that a stored response can be repeated later ([C-4]).
  ///
  /// - Throws: `FRESH_LOGIN_REQUIRED` when the authentication is too long ago.
  func require(_ context: CallContext, in tx: Transaction) async throws {
    try check(try await tx.first(SessionProof(sessionID: try context.loginSessionID, userID: try context.userID)))
  }

  private func check(_ proof: SessionProof.Row?) throws(Status) {
    if let proof, FreshLogin.isFresh(proved: proof.provedAt, now: clock.now) { return }
    throw proof?.hasPassword == false ? .freshLoginWithoutPasswordRequired : .freshLoginRequired
  }
}
