import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

extension SessionTransitions {
  private static let first = UserID(UUID7(high: 0, low: 0))

  /// A session is open to all: schedules the job that notifies those who search for it, in the transaction that makes it so ([MA-18]).
  func sessionOpened(_ id: SessionID, _ tx: Transaction) async throws {
    try await scheduleNotices(of: id, after: Self.first, tx)
  }

  /// - Parameter last: the last user of the batch before.
  func scheduleNotices(of id: SessionID, after last: UserID, _ tx: Transaction) async throws {
    try await tx.schedule(Job(.notifySearchers, "\(id)/\(last)", at: clock.now, key: "\(id)"), with: jobs)
  }
}

extension SessionOperations {
  /// Schedules a further run of the job that notifies those who search for a session ([MA-18]).
  ///
  /// - Parameter last: the user who was notified last.
  package func scheduleNotices(of id: SessionID, after last: UserID, _ tx: Transaction) async throws {
    try await transitions.scheduleNotices(of: id, after: last, tx)
  }

  /// Notifies some users whose saved searches a session fits, in the order of their ids, once each ([MA-18]).
  ///
  /// - Parameter limit: how many; an event may have 500 recipients.
  /// - Returns: the users.
  package func notifySearchers(
    of id: SessionID, after last: UserID, limit: Int64, _ tx: Transaction
  ) async throws -> [UserID] {
    guard let session = try await tx.first(SessionByID(sessionID: id)) else { return [] }
    let users = try await tx.rows(
      NotifySearchers(sessionID: id, now: environment.clock.now, afterUserID: last, limit: limit)
    ).sorted()
    try await transitions.notify(
      users, "sessions/\(id)/found", of: id,
      .sessionFound(.init(startTime: session.slot.start.timestamp, gym: session.gym.name)), tx)
    return users
  }
}
