import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching

extension WaitingLists {
  /// Adds the caller to the end of a session's waiting list.
  package func joinWaitingList(
    _ call: JoinWaitingListRequest, _ context: CallContext
  ) async throws -> WaitingListEntry {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.sessionID(call.sessionID)
    let id = try bad.all(named)
    let key = context.requestKey(requestID)
    if let first: WaitingListEntry = try await idempotency.firstAnswer(to: call, key) { return first }
    let applicant = try await applicants.applicant(user)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      try await wait(for: id, applicant, tx)
      let entries = try await tx.rows(WaitingListsOf(userID: user, now: environment.clock.now))
      guard let entry = entries.first(where: { $0.sessionID == id }) else { throw SessionRefusal.noSuchSession }
      return WaitingListEntry(entry)
    }
  }

  private func wait(for id: SessionID, _ known: Applicant, _ tx: Transaction) async throws {
    let found = try await transitions.lockedToJoin(id, known, tx)
    let (user, session) = (found.user, found.session)
    let now = environment.clock.now
    guard let waiting = try await tx.first(WaitingOf(sessionID: id, userID: user.id, now: now)), waiting.number == nil
    else { return }
    try WaitingRule.check(
      session.facts, user, inList: Int(waiting.inList), lists: Int(waiting.ofUser), at: now)
    try await tx.execute(InsertWaiting(sessionID: id, userID: user.id, startsAt: session.slot.start, now: now))
  }
}
