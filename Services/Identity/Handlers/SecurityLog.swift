import ClientAddresses
import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TTRPC

/// Notes what happened to accounts, in the transaction in which it did.
struct SecurityLog: Sendable {
  let environment: Environment

  /// Notes what a call did.
  func note(
    _ kind: SecurityEventKind, of account: UserID?, session: SessionID? = nil, by context: CallContext,
    in tx: Transaction
  ) async throws {
    try await note(kind, of: account, session: session, from: context.address, in: tx)
  }

  /// Notes what no call did, or one whose address does not matter.
  func note(
    _ kind: SecurityEventKind, of account: UserID?, session: SessionID? = nil, from address: String = "",
    in tx: Transaction
  ) async throws {
    try await tx.execute(
      InsertSecurityEvent(
        kind, id: environment.newID(), of: account, session: session, from: address, now: environment.clock.now))
  }
}
