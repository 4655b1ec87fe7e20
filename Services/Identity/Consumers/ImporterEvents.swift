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
      EventHandler(batchesOf: TrackerImported.self) { events, tx in try await count(events, in: tx) },
      EventHandler(batchesOf: ActivityStored.self) { events, tx in try await count(events, in: tx) },
      EventHandler(batchesOf: ActivityRemoved.self) { events, tx in try await remove(events, in: tx) },
    ]
  }

  /// Counts every successful import, including the import of a tracker's file.
  private func count(_ events: [ReceivedEvent<TrackerImported>], in tx: Transaction) async throws {
    var earned: [UserID: Set<Badge>] = [:]
    for event in events {
      if let user = UserID(event.message.userID) { earned[user] = [.firstTracker] } else { note(event, "an import") }
    }
    try await award(earned, in: tx)
  }

  /// Counts activities in the months of their local start times; the latest event about an activity replaces earlier
  /// ones.
  private func count(_ events: [ReceivedEvent<ActivityStored>], in tx: Transaction) async throws {
    let reported = try events.compactMap { event -> NoteActivity? in
      guard let activity = try WireActivity(event) else {
        note(event, "an activity")
        return nil
      }
      return NoteActivity(
        activityID: activity.id, userID: activity.user, start: activity.start, timeZone: event.message.timeZone,
        distance: activity.distance, position: event.position)
    }
    try await lock(reported.map(\.userID), in: tx)
    let changed = zip(reported, try await tx.rows(each: reported)).flatMap { activity, rows in
      rows.map { (user: activity.userID, month: $0.month, day: $0.day) }
    }
    var earned = try await streaks(with: changed.map { ($0.user, $0.day) }, in: tx)
    let months = changed.map { DistanceInMonth(userID: $0.user, month: $0.month) }
    for (month, distance) in zip(months, try await tx.rows(each: months)) {
      earned[month.userID, default: []].formUnion(Badge.earned(inOneMonth: distance.first ?? .zero))
    }
    try await award(earned, in: tx)
  }

  private func remove(_ events: [ReceivedEvent<ActivityRemoved>], in tx: Transaction) async throws {
    let removed = events.compactMap { event -> NoteActivityRemoved? in
      guard let id = UUID7(event.message.activityID), let user = UserID(event.message.userID) else {
        note(event, "a removed activity")
        return nil
      }
      return NoteActivityRemoved(activityID: id, userID: user, position: event.position)
    }
    try await tx.rows(each: removed)
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
