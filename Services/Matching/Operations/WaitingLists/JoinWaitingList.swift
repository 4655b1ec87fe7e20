import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Adds a user to the end of a session's waiting list ([MA-17]); one who waits already keeps the place.
  ///
  /// - Parameter known: the user as of before the transaction.
  package func joinWaitingList(
    of id: SessionID, _ known: Applicant, _ tx: Transaction
  ) async throws -> WaitingListsOf.Row {
    try await wait(for: id, known, tx)
    let entries = try await tx.rows(WaitingListsOf(userID: known.id, now: environment.clock.now))
    guard let entry = entries.first(where: { $0.sessionID == id }) else { throw SessionRefusal.noSuchSession }
    return entry
  }

  private func wait(for id: SessionID, _ known: Applicant, _ tx: Transaction) async throws {
    let found = try await lockedToJoin(id, known, tx)
    let (user, session) = (found.user, found.session)
    let now = environment.clock.now
    guard let waiting = try await tx.first(WaitingOf(sessionID: id, userID: user.id, now: now)), waiting.number == nil
    else { return }
    try WaitingRule.check(
      session.facts, user, inList: Int(waiting.inList), lists: Int(waiting.ofUser), at: now)
    try await tx.execute(InsertWaiting(sessionID: id, userID: user.id, startsAt: session.slot.start, now: now))
  }
}
