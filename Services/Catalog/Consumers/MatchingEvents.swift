import CatalogDomain
import CatalogStore
import Events
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension EventSubscription {
  /// Counts the users who check in at a gym, by matching's events ([CA-4]).
  package static var checkIns: EventSubscription {
    EventSubscription(
      of: "matching",
      handlers: [
        EventHandler(batchesOf: CheckedIn.self) { events, tx in
          let presences = try events.map { try WirePresence($0) }
          try await tx.execute(
            NotePresences(
              userIDs: presences.map(\.user), gymIDs: presences.map(\.gym), checkInTimes: presences.map(\.start),
              endTimes: presences.map(\.end)))
        }
      ],
      // Check-ins that were missed are outdated by now.
      resync: { _ in { _ in } })
  }
}

/// A user's presence at a gym, from matching's event.
package struct WirePresence: Sendable {
  let user: UserID
  let gym: GymID
  let start: Instant
  let end: Instant

  /// - Throws: when the user id or the gym id is not a UUID, or a time is out of range.
  package init(_ event: ReceivedEvent<CheckedIn>) throws {
    let message = event.message
    guard let user = UserID(message.userID), let gym = GymID(message.gymID) else { throw MalformedID() }
    (self.user, self.gym) = (user, gym)
    start = try message.checkInTime.map { try Instant(wire: $0) } ?? event.occurredAt
    end = try message.endTime.map { try Instant(wire: $0) } ?? start + GymUsage.lifetime
  }

  private struct MalformedID: Error {}
}
