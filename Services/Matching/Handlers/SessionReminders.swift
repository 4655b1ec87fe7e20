import Events
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents

/// Reminds both participants of a matched session an hour before its start ([MA-12]). A user who joins within that hour is not reminded.
package struct SessionReminders: Sendable {
  /// How long before the start.
  static let notice: Duration = .seconds(3_600)
  /// Sessions in one transaction.
  private static let batch = 500

  private let transitions: SessionTransitions

  package init(transitions: SessionTransitions) { self.transitions = transitions }

  package var handler: JobHandler {
    .inDatabase(.remindParticipants) { payload, run, tx in
      let parts = payload.split(separator: "/")
      guard let microseconds = parts.first.flatMap({ Int64($0) }) else { throw JobRefusal("its payload is no time") }
      let start = Instant(microseconds: microseconds)
      // After a downtime a reminder of what has begun is of no use.
      guard transitions.clock.now < start else { return }
      let after = parts.dropFirst().first.flatMap { SessionID(String($0)) } ?? SessionID(UUID7(high: 0, low: 0))
      try await remind(start, after: after, run, tx)
    }
  }

  private func remind(_ start: Instant, after: SessionID, _ run: JobRun, _ tx: Transaction) async throws {
    let sessions = try await tx.rows(
      SessionsToRemind(startsAt: start, afterID: after, limit: Int64(Self.batch)))
    let reminders = sessions.flatMap { session in
      [(session.ownerID, session.partnerID), (session.partnerID, session.ownerID)].map { user, partner in
        NotificationRequested(
          notificationKey: "sessions/\(session.id)/reminder/\(user)", recipientIds: [user.description],
          subject: "sessions/\(session.id)",
          news: .sessionReminder(.init(partnerID: partner.description, gym: session.gymName)))
      }
    }
    try await transitions.events.publish(each: reminders, in: tx)
    guard sessions.count == Self.batch, let last = sessions.last else { return }
    let key = "\(start.microseconds)"
    try await tx.schedule(
      Job(.remindParticipants, "\(key)/\(last.id)", at: run.due, key: key), with: transitions.jobs)
  }
}
