import ClientAddresses
import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TTRPC

/// Records security events of accounts, in the transaction of what they record.
struct SecurityLog: Sendable {
  let environment: Environment

  /// Records the effect of a call, with its client's address.
  func note(
    _ kind: SecurityEventKind, of account: UserID?, session: SessionID? = nil, by context: CallContext,
    in tx: Transaction
  ) async throws {
    try await note(kind, of: account, session: session, from: context.address, in: tx)
  }

  /// Records an event without a call, or one whose address does not matter.
  func note(
    _ kind: SecurityEventKind, of account: UserID?, session: SessionID? = nil, from address: String = "",
    in tx: Transaction
  ) async throws {
    try await tx.execute(
      InsertSecurityEvent(
        securityEventID: environment.newID(), userID: account, kind: kind, sessionID: session, address: address,
        now: environment.clock.now))
  }
}
