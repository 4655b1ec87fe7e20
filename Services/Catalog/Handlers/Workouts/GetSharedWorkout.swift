import CatalogStore
import ClientAddresses
import Cryptography
import Identifiers
import TTRPC
import TandemCatalog
import Timestamps

extension Workouts {
  /// The workout that a link shares, for any client that has the link ([CA-15]).
  package func getSharedWorkout(_ call: GetSharedWorkoutRequest, _ context: CallContext) async throws -> SharedWorkout {
    try await checkMisses(context)
    guard let hash = Self.hash(ofToken: call.token),
      let stored = try await database.first(SharedWorkoutByToken(tokenHash: hash))
    else {
      try await countMiss(context)
      throw NoSuchShare()
    }
    let entries = try await database.rows(EntriesOfWorkouts(workoutIDs: [stored.id]))
    return SharedWorkout(
      name: stored.name, description: stored.description, muscleGroups: stored.muscleGroups.map(\.rawValue),
      entries: entries.map { stored in
        var entry = WorkoutEntry(stored.planned, named: stored.exerciseName)
        entry.entryID = ""
        return entry
      },
      updateTime: stored.updatedAt.timestamp)
  }

  /// The hash that a link is stored by; `nil` for a text that is not a secret.
  static func hash(ofToken text: String) -> [UInt8]? { SecretToken(text)?.hash }

  /// Refuses an address that tried too many unknown links.
  func checkMisses(_ context: CallContext) async throws {
    let now = environment.clock.now
    guard let end = try await database.first(ShareMissesOver(addressHash: Self.hash(ofAddress: context), now: now))
    else {
      return
    }
    throw Status(
      CatalogReason.tooManyAttempts, "Too many links that lead nowhere were tried from here",
      retryAfter: end - now)
  }

  /// Counts an unknown link for the caller's address.
  func countMiss(_ context: CallContext) async throws {
    try await database.write(CountShareMiss(addressHash: Self.hash(ofAddress: context), now: environment.clock.now))
  }

  private static func hash(ofAddress context: CallContext) -> [UInt8] {
    Digest.sha256("address:\(context.clientNetwork)".utf8)
  }
}
