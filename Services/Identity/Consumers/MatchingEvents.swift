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

  /// Counts a successful session for both partners, on the local day of its start at the gym.
  private func count(_ event: ReceivedEvent<SessionSucceeded>, in tx: Transaction) async throws {
    guard let session = try WireSession(event) else { return note(event, "a session") }
    var notices: [Notice] = []
    let noted = NoteSession(
      sessionID: session.id, start: session.start, timeZone: event.message.timeZone, userIDs: session.users)
    for one in try await tx.rows(noted) {
      let window = Badge.streakWindow(around: one.day)
      let tally = try await tx.first(
        SessionTally(userID: one.userID, firstDay: window.lowerBound, lastDay: window.upperBound))
      guard let tally else { continue }
      notices += try await award(Badge.earned(sessions: tally.sessions, on: tally.days), to: one.userID, in: tx)
    }
    try await notifier.notify(notices, in: tx)
  }
}

/// A successful training session from an event of matching.
package struct WireSession: Sendable {
  let id: UUID7
  /// Sorted, without duplicates.
  let users: [UserID]
  let start: Instant

  /// `nil` when an id is invalid.
  ///
  /// - Throws: when the start time is invalid.
  package init?(_ event: ReceivedEvent<SessionSucceeded>) throws {
    let session = event.message
    let users = Set(session.userIds.compactMap { UserID($0) })
    guard let id = UUID7(session.sessionID), users.count == Set(session.userIds).count else { return nil }
    (self.id, self.users) = (id, users.sorted())
    start = try session.startTime.map { try Instant(wire: $0) } ?? event.occurredAt
  }
}
