import Environment
import Cryptography
import Events
import IdentityStore
import Identifiers
import Postgres
import TTRPC
import TandemEvents
import Timestamps

/// Deletes accounts with all their data, and notifies the other services ([ID-13], [C-9]).
struct AccountDeletion: Sendable {
  let endedSessions: EndedSessions
  let events: Outbox
  let clock: any WallClock

  /// Deletes an account that the transaction has locked.
  ///
  /// - Parameter method: the calling method, whose stored response is kept.
  /// - Returns: the time of the deletion.
  func remove(_ locked: LockedAccount.Row, by method: MethodDescriptor, in tx: Transaction) async throws -> Instant {
    let (account, now) = (locked.credentials.userID, clock.now)
    try await Memberships(events: events, clock: clock).endAll(of: account, in: tx)
    try await endedSessions.endAll(of: account, in: tx)
    try await tx.execute(
      DeleteAccountRow(
        userID: account, now: now, emailHash: Digest.sha256(locked.emailKey.utf8), caller: account.description,
        method: method.fullName))
    try await tx.execute(ForgetThrottle(.passwords(of: account)))
    try await events.publish(AccountDeleted(userID: account.description, deleteTime: now.timestamp), in: tx)
    return now
  }
}
