import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres

/// Records security events of accounts, in the transaction of what they record.
package struct SecurityLog: Sendable {
  private let environment: Environment

  package init(environment: Environment) { self.environment = environment }

  /// Records the effect of a call, with its client's address.
  package func note(
    _ kind: SecurityEventKind, of account: UserID?, session: SessionID? = nil, by origin: CallOrigin,
    in tx: Transaction
  ) async throws {
    try await note(kind, of: account, session: session, from: origin.address, in: tx)
  }

  /// Records an event without a call, or one whose address does not matter.
  package func note(
    _ kind: SecurityEventKind, of account: UserID?, session: SessionID? = nil, from address: String = "",
    in tx: Transaction
  ) async throws {
    try await tx.execute(
      InsertSecurityEvent(
        securityEventID: environment.newID(), userID: account, kind: kind, sessionID: session, address: address,
        now: environment.clock.now))
  }
}
