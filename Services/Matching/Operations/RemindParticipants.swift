import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents

extension SessionOperations {
  /// Reminds both participants of some of the matched sessions that start at one moment ([MA-12]).
  ///
  /// - Parameter last: the session that was looked at last.
  /// - Returns: the sessions, in the order of their ids.
  package func remindParticipants(
    ofSessionsAt start: Instant, after last: SessionID, limit: Int, _ tx: Transaction
  ) async throws -> [SessionID] {
    let sessions = try await tx.rows(SessionsToRemind(startsAt: start, afterID: last, limit: Int64(limit)))
    let reminders = sessions.flatMap { session in
      [(session.ownerID, session.partnerID), (session.partnerID, session.ownerID)].map { user, partner in
        NotificationRequested(
          notificationKey: "sessions/\(session.id)/reminder/\(user)", recipientIds: [user.description],
          subject: "sessions/\(session.id)",
          news: .sessionReminder(.init(partnerID: partner.description, gym: session.gymName)))
      }
    }
    try await transitions.events.publish(each: reminders, in: tx)
    return sessions.map(\.id)
  }
}
