import Events
import IdentityDomain
import IdentityOperations
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension BadgeAwards {
  var matchingHandlers: [EventHandler] {
    [EventHandler(batchesOf: SessionSucceeded.self) { events, tx in try await count(events, in: tx) }]
  }

  /// Counts successful sessions for both partners, one at a time, on the local days of their starts at the gyms.
  private func count(_ events: [ReceivedEvent<SessionSucceeded>], in tx: Transaction) async throws {
    let sessions = try events.compactMap { event -> NoteSession? in
      guard let session = try WireSession(event) else {
        note(event, "a session")
        return nil
      }
      return NoteSession(
        sessionID: session.id, start: session.start, timeZone: event.message.timeZone, endsAt: session.end,
        userIDs: session.users)
    }
    try await lock(sessions.flatMap(\.userIDs), in: tx)
    let new = try await tx.rows(each: sessions).joined()
    var earned = try await streaks(with: new.map { ($0.userID, $0.day) }, in: tx)
    let users = Set(new.map(\.userID)).sorted()
    for (user, count) in zip(users, try await tx.rows(each: users.map { SuccessfulSessions(userID: $0) })) {
      earned[user, default: []].formUnion(Badge.earned(sessions: count.first ?? 0))
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
  /// Not before the start; the same where the event does not say it.
  let end: Instant

  /// `nil` when an id is invalid.
  ///
  /// - Throws: when a time is invalid.
  package init?(_ event: ReceivedEvent<SessionSucceeded>) throws {
    let session = event.message
    let users = Set(session.userIds.compactMap { UserID($0) })
    guard let id = UUID7(session.sessionID), users.count == Set(session.userIds).count else { return nil }
    (self.id, self.users) = (id, users.sorted())
    start = try session.startTime.map { try Instant(wire: $0) } ?? event.occurredAt
    end = max(start, try session.endTime.map { try Instant(wire: $0) } ?? start)
  }
}
