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
    [EventHandler(batchesOf: SessionSucceeded.self) { events, tx in try await count(events, in: tx) }]
  }

  /// Counts successful sessions for both partners, on the local days of their starts at the gyms.
  private func count(_ events: [ReceivedEvent<SessionSucceeded>], in tx: Transaction) async throws {
    let sessions = try events.compactMap { event -> NoteSession? in
      guard let session = try WireSession(event) else {
        note(event, "a session")
        return nil
      }
      return NoteSession(
        sessionID: session.id, start: session.start, timeZone: event.message.timeZone, userIDs: session.users)
    }
    let tallies = try await tx.rows(each: sessions).joined().map { one in
      let window = Badge.streakWindow(around: one.day)
      return SessionTally(userID: one.userID, firstDay: window.lowerBound, lastDay: window.upperBound)
    }
    var earned: [UserID: Set<Badge>] = [:]
    for (one, tally) in zip(tallies, try await tx.rows(each: tallies)) {
      guard let tally = tally.first else { continue }
      earned[one.userID, default: []].formUnion(Badge.earned(sessions: tally.sessions, on: tally.days))
    }
    try await award(earned, in: tx)
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
