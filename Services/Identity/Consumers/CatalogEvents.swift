import Events
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension BadgeAwards {
  var catalogHandlers: [EventHandler] {
    [
      EventHandler(batchesOf: WorkoutLogged.self) { events, tx in try await count(events, in: tx) },
      EventHandler(batchesOf: WorkoutLogDeleted.self) { events, tx in try await remove(events, in: tx) },
    ]
  }

  /// Counts logged workouts, on the local days of their starts in the zones of the users' profiles.
  private func count(_ events: [ReceivedEvent<WorkoutLogged>], in tx: Transaction) async throws {
    let logs = try events.compactMap { event -> NoteWorkoutLog? in
      guard let id = UUID7(event.message.logID), let user = UserID(event.message.userID) else {
        note(event, "a logged workout")
        return nil
      }
      let start = try event.message.startTime.map { try Instant(wire: $0) } ?? event.occurredAt
      return NoteWorkoutLog(logID: id, start: start, userID: user)
    }
    try await lock(logs.map(\.userID), in: tx)
    let new = try await tx.rows(each: logs).joined()
    var earned = try await streaks(with: new.map { ($0.userID, $0.day) }, in: tx)
    let users = Set(new.map(\.userID)).sorted()
    for (user, count) in zip(users, try await tx.rows(each: users.map { LoggedWorkouts(userID: $0) })) {
      earned[user, default: []].formUnion(Badge.earned(workouts: count.first ?? 0))
    }
    try await award(earned, in: tx)
  }

  private func remove(_ events: [ReceivedEvent<WorkoutLogDeleted>], in tx: Transaction) async throws {
    let removed = events.compactMap { event -> NoteWorkoutLogDeleted? in
      guard let id = UUID7(event.message.logID), let user = UserID(event.message.userID) else {
        note(event, "a deleted workout log")
        return nil
      }
      return NoteWorkoutLogDeleted(logID: id, userID: user)
    }
    try await tx.rows(each: removed)
  }
}
