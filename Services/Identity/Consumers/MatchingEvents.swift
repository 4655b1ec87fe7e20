import Events
import IdentityDomain
import IdentityHandlers
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension BadgeAwards {
  var matchingHandlers: [EventHandler] {
    [EventHandler(of: SessionSucceeded.self) { event, tx in try await count(event, in: tx) }]
  }

  /// A successful session counts for both, on the day on which it started where the gym is.
  private func count(_ event: ReceivedEvent<SessionSucceeded>, in tx: Transaction) async throws {
    guard let session = try WireSession(event) else { return note(event, "a session") }
    var notices: [Notice] = []
    let noted = NoteSession(session.id, of: session.users, at: session.start, in: event.message.timeZone)
    for one in try await tx.rows(noted) {
      let window = Badge.streakWindow(around: one.day)
      guard let tally = try await tx.first(SessionTally(of: one.userID, within: window)) else { continue }
      notices += try await award(Badge.earned(sessions: tally.sessions, on: tally.days), to: one.userID, in: tx)
    }
    try await notifier.notify(notices, in: tx)
  }
}

/// A successful training session, as matching tells of it.
package struct WireSession: Sendable {
  let id: UUID7
  /// In order, each once.
  let users: [UserID]
  let start: Instant

  /// `nil` when it is nobody's or nothing.
  ///
  /// - Throws: when its time is none.
  package init?(_ event: ReceivedEvent<SessionSucceeded>) throws {
    let session = event.message
    let users = Set(session.userIds.compactMap { UserID($0) })
    guard let id = UUID7(session.sessionID), users.count == Set(session.userIds).count else { return nil }
    (self.id, self.users) = (id, users.sorted())
    start = try session.startTime.map { try Instant(wire: $0) } ?? event.occurredAt
  }
}
