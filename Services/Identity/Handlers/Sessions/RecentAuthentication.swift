import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC

/// Looks whether who calls has proved lately who they are ([ID-13]): a session that was left open somewhere is not enough to change how its
/// account is logged in to.
struct RecentAuthentication: Sendable {
  let database: Database
  let clock: any WallClock

  /// - Throws: `FRESH_LOGIN_REQUIRED`.
  func require(_ context: CallContext) async throws {
    try check(try await database.first(SessionProof(try context.loginSessionID, of: try context.userID)))
  }

  /// The same with the transaction: so that an answer can be repeated later ([C-4]).
  func require(_ context: CallContext, in tx: Transaction) async throws {
    try check(try await tx.first(SessionProof(try context.loginSessionID, of: try context.userID)))
  }

  private func check(_ provedAt: Instant?) throws(Status) {
    guard let provedAt, FreshLogin.isFresh(proved: provedAt, now: clock.now) else { throw .freshLoginRequired }
  }
}
