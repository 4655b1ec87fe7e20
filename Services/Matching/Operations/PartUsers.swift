import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Schedules the jobs that part two users each ([C-10]).
  package func scheduleParting(_ partings: [Parting], _ tx: Transaction) async throws {
    let now = environment.clock.now
    let last = Dictionary(partings.map { ($0.key, $0) }) { $1 }.values.sorted { $0.key < $1.key }
    try await tx.schedule(
      each: last.map { Job(.partBlockedUsers, $0.payload, at: now, key: $0.key) }, with: jobs)
  }

  /// Schedules the job that parts all users of whom one has blocked the other ([C-10]).
  ///
  /// - Parameter last: the session that was looked at last; `nil` to begin.
  package func scheduleParting(after last: SessionID? = nil, _ tx: Transaction) async throws {
    let payload = last.map { "\($0)" } ?? ""
    try await tx.schedule(Job(.partAllBlockedUsers, payload, at: environment.clock.now, key: "users"), with: jobs)
  }

  /// Takes a user out of a matched session with another whom the user has blocked ([C-10]); a late one is barred for it ([MA-7]). The
  /// transaction has locked the users' rows if the parting has consequences.
  ///
  /// - Returns: whether anything changed.
  @discardableResult
  package func partUsers(_ parting: Parting, in id: SessionID, _ tx: Transaction) async throws -> Bool {
    let session = try await locked(id, tx)
    let departure = Departure.byBlock(
      of: parting.blocked, by: parting.blocker, from: session.facts, at: environment.clock.now)
    guard case .leave(let other) = departure else { return false }
    try await transitions.leave(session, parting.blocker, to: other, tx)
    try await bar(parting, session, tx)
    return true
  }

  /// Bars a blocker who has left a session by it as a cancellation at that time would have.
  private func bar(_ parting: Parting, _ session: StoredSession, _ tx: Transaction) async throws {
    // Who was matched after the block has not left by it.
    guard case .bars(let blockedAt) = parting.consequence, session.updatedAt <= blockedAt else { return }
    let moment = min(blockedAt, try await transitions.trustedNow(tx))
    let cancellation = try Cancellation.decide(session.facts, by: parting.blocker, at: moment)
    try await transitions.bar(parting.blocker, for: cancellation, of: session.id, at: moment, tx)
  }
}
