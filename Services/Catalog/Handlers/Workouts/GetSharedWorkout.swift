import CatalogDomain
import CatalogStore
import Cryptography
import LinkMisses
import TTRPC
import TandemCatalog
import Timestamps

extension Workouts {
  /// The workout that a link shares, for any client that has the link ([CA-15]).
  package func getSharedWorkout(_ call: GetSharedWorkoutRequest, _ context: CallContext) async throws -> SharedWorkout {
    guard let hash = Self.hash(ofToken: call.token),
      let stored = try await database.first(SharedWorkoutByToken(tokenHash: hash))
    else {
      try await misses.count(context)
      throw ShareRefusal.noSuchShare
    }
    let entries = try await database.rows(EntriesOfWorkouts(workoutIDs: [stored.id]))
    return SharedWorkout(
      name: stored.name, description: stored.description, muscleGroups: stored.muscleGroups.map(\.rawValue),
      entries: entries.map { stored in
        var entry = WorkoutEntry(stored.planned, named: stored.exerciseName)
        entry.entryID = ""
        return entry
      },
      updateTime: stored.updatedAt.timestamp,
      preview: SharePreview(
        title: stored.name, text: SharePreviewText.workout(stored.description, entries.map(\.exerciseName)),
        picture: "workout"))
  }

  /// The hash that a link is stored by; `nil` for a text that is not a secret.
  static func hash(ofToken text: String) -> [UInt8]? { SecretToken(text)?.hash }
}
