import Cryptography
import Environment
import Events
import Identifiers
import IdentityStore
import Postgres
import TandemEvents
import Timestamps

/// Deletes accounts with all their data, and notifies the other services ([ID-13], [C-9]).
package struct AccountDeletion: Sendable {
  private let endedSessions: EndedSessions
  private let events: Outbox
  private let clock: any WallClock

  package init(endedSessions: EndedSessions, events: Outbox, clock: any WallClock) {
    (self.endedSessions, self.events, self.clock) = (endedSessions, events, clock)
  }

  /// So many pushes take a statement a small part of its time.
  private static let pushesAtOnce: Int64 = 5_000

  /// Removes the records of an account's pushes that were sent, before the transaction that deletes the account: they
  /// may be more than one statement has time for. Nobody sees any difference should the account stay.
  package func removePushes(of account: UserID, in database: Database) async throws {
    var removed: Int
    repeat {
      removed = try await database.write(DeleteSettledPushesOf(userID: account, limit: Self.pushesAtOnce)).count
    } while removed == Self.pushesAtOnce
  }

  /// Deletes an account that the transaction has locked.
  ///
  /// - Parameter method: the full name of the calling method, whose stored response is kept.
  /// - Returns: the time of the deletion.
  package func remove(_ locked: LockedAccount.Row, by method: String, in tx: Transaction) async throws -> Instant {
    let (account, now) = (locked.credentials.userID, clock.now)
    try await Memberships(events: events, clock: clock).endAll(of: account, in: tx)
    try await endedSessions.endAll(of: account, in: tx)
    try await tx.execute(
      DeleteAccountRow(
        userID: account, now: now, emailHash: Digest.sha256(locked.emailKey.utf8), caller: account.description,
        method: method))
    try await tx.execute(ForgetThrottle(.passwords(of: account)))
    try await events.publish(AccountDeleted(userID: account.description, deleteTime: now.timestamp), in: tx)
    return now
  }
}
