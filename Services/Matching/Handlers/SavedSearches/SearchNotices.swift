import Environment
import Events
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

extension JobKind where Payload == String {
  /// Notifies users whose saved searches a session fits; payload the session's id and that of the last user of the batch before, separated by
  /// a slash; key the session's id.
  package static let notifySearchers = JobKind("notify_searchers")
}

/// Notifies users of sessions that fit their saved searches: one statement for a batch of users, in the order of their ids.
package struct SearchNotices: Sendable {
  private let events: Outbox
  private let jobs: Jobs

  /// Users in one transaction and one event, which may have 500 recipients.
  private static let batch: Int64 = 500
  private static let first = UserID(UUID7(high: 0, low: 0))

  package init(events: Outbox, jobs: Jobs) { (self.events, self.jobs) = (events, jobs) }

  private var now: Instant { jobs.environment.clock.now }

  /// The job that notifies.
  package var handlers: [JobHandler] {
    [
      .inDatabase(.notifySearchers) { payload, _, tx in
        let ids = payload.split(separator: "/").map(String.init)
        guard ids.count == 2, let session = SessionID(ids[0]), let last = UserID(ids[1]) else {
          throw JobRefusal("the payload is not two ids")
        }
        try await notify(session, after: last, tx)
      }
    ]
  }

  /// A session is open to all: in the transaction that makes it so.
  package func sessionOpened(_ id: SessionID, _ tx: Transaction) async throws { try await schedule(id, Self.first, tx) }

  private func schedule(_ id: SessionID, _ last: UserID, _ tx: Transaction) async throws {
    try await tx.schedule(Job(.notifySearchers, "\(id)/\(last)", at: now, key: "\(id)"), with: jobs)
  }

  private func notify(_ id: SessionID, after last: UserID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(SessionByID(sessionID: id)) else { return }
    let users = try await tx.rows(
      NotifySearchers(sessionID: id, now: now, afterUserID: last, limit: Self.batch)
    ).sorted()
    guard let end = users.last else { return }
    let request = NotificationRequested(
      notificationKey: "sessions/\(id)/found", recipientIds: users.map(\.description), subject: "sessions/\(id)",
      news: .sessionFound(.init(startTime: session.facts.slot.start.timestamp, gym: session.gym.name)))
    try await events.publish(request, in: tx)
    if users.count == Int(Self.batch) { try await schedule(id, end, tx) }
  }
}
