import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

/// Finds the moments that users' clocks showed: the database knows the zones.
struct LocalTimes: Sendable {
  let database: Database

  /// Times asked for at once.
  private static let maxCount = 10_000

  /// Records whose times are those of a clock, as if its zone were UTC, with the moments at which it showed them.
  ///
  /// - Parameter zone: the zone of the clock, which the database knows.
  func located(_ batch: ImportedBatch, in zone: String) async throws -> ImportedBatch {
    var batch = batch
    // Nothing else of what a reader says can be a time that the database does not have.
    batch.activities.removeAll { !Plausible.times.contains($0.startedAt) }
    batch.sleeps.removeAll { !Plausible.times.contains($0.startedAt) || !Plausible.times.contains($0.endedAt) }
    batch.weights.removeAll { !Plausible.times.contains($0.measuredAt) }
    let starts = try await moments(batch.activities.map(\.startedAt), zone)
    for (index, start) in zip(batch.activities.indices, starts) {
      batch.activities[index].startedAt = start
      batch.activities[index].timeZone = zone
    }
    let nights = try await moments(batch.sleeps.map(\.startedAt), zone)
    for (index, start) in zip(batch.sleeps.indices, nights) {
      // Its length was measured, and not read off the clock.
      batch.sleeps[index].endedAt = start + (batch.sleeps[index].endedAt - batch.sleeps[index].startedAt)
      batch.sleeps[index].startedAt = start
      batch.sleeps[index].timeZone = zone
    }
    let weighings = try await moments(batch.weights.map(\.measuredAt), zone)
    for (index, moment) in zip(batch.weights.indices, weighings) { batch.weights[index].measuredAt = moment }
    return batch
  }

  private func moments(_ local: [Instant], _ zone: String) async throws -> [Instant] {
    var moments: [Instant] = []
    for start in stride(from: 0, to: local.count, by: Self.maxCount) {
      let part = Array(local[start..<min(start + Self.maxCount, local.count)])
      moments += try await database.rows(MomentsInZone(zone: zone, moments: part))
    }
    return moments
  }
}
