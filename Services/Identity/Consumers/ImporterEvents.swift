import Events
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension BadgeAwards {
  var importerHandlers: [EventHandler] {
    [
      EventHandler(of: TrackerImported.self) { event, tx in try await count(event, in: tx) },
      EventHandler(of: ActivityStored.self) { event, tx in try await count(event, in: tx) },
      EventHandler(of: ActivityRemoved.self) { event, tx in try await remove(event, in: tx) },
    ]
  }

  /// Counts every successful import, including the import of a tracker's file.
  private func count(_ event: ReceivedEvent<TrackerImported>, in tx: Transaction) async throws {
    guard let user = UserID(event.message.userID) else { return note(event, "an import") }
    try await notifier.notify(try await award([.firstTracker], to: user, in: tx), in: tx)
  }

  /// Counts an activity in the month of its local start time; the latest event about an activity replaces earlier ones.
  private func count(_ event: ReceivedEvent<ActivityStored>, in tx: Transaction) async throws {
    guard let activity = try WireActivity(event) else { return note(event, "an activity") }
    let noted = NoteActivity(
      activityID: activity.id, userID: activity.user, start: activity.start, timeZone: event.message.timeZone,
      distance: activity.distance, position: event.position)
    guard let month = try await tx.first(noted) else { return }
    let sum = try await tx.first(DistanceInMonth(userID: activity.user, month: month)) ?? .zero
    try await notifier.notify(try await award(Badge.earned(inOneMonth: sum), to: activity.user, in: tx), in: tx)
  }

  private func remove(_ event: ReceivedEvent<ActivityRemoved>, in tx: Transaction) async throws {
    guard let id = UUID7(event.message.activityID), let user = UserID(event.message.userID) else {
      return note(event, "a removed activity")
    }
    try await tx.execute(NoteActivityRemoved(activityID: id, userID: user, position: event.position))
  }
}

/// An activity from an event of the importer.
package struct WireActivity: Sendable {
  let id: UUID7
  let user: UserID
  let start: Instant
  let distance: Distance

  /// `nil` when an id or the distance is invalid.
  ///
  /// - Throws: when the start time is invalid.
  package init?(_ event: ReceivedEvent<ActivityStored>) throws {
    let activity = event.message
    guard let id = UUID7(activity.activityID), let user = UserID(activity.userID),
      let distance = Distance(metres: activity.distanceM)
    else { return nil }
    (self.id, self.user, self.distance) = (id, user, distance)
    start = try activity.startTime.map { try Instant(wire: $0) } ?? event.occurredAt
  }
}
