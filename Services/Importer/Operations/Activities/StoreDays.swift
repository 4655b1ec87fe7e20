import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension ActivityOperations {
  /// Stores steps, sleeps and weighings, which replace what the same source reported before.
  func storeDays(
    _ batch: ImportedBatch, from origin: RecordOrigin, of user: UserID, _ tx: Transaction
  ) async throws {
    let now = environment.clock.now
    for (provider, steps) in Dictionary(grouping: batch.steps, by: \.provider) {
      try await tx.execute(
        PutSteps(
          userID: user, provider: provider, now: now, days: steps.map(\.day), steps: steps.map(\.steps),
          raws: steps.map { $0.raw ?? "" }, lowers: origin == .provider))
    }
    for (provider, weights) in Dictionary(grouping: batch.weights, by: \.provider) {
      try await tx.execute(
        PutWeights(
          userID: user, provider: provider, now: now, moments: weights.map(\.measuredAt),
          weightsKg: weights.map(\.kilograms), raws: weights.map { $0.raw ?? "" }))
    }
    for (provider, compositions) in Dictionary(grouping: batch.compositions, by: \.provider) {
      try await tx.execute(
        PutCompositions(
          now: now, moments: compositions.map(\.measuredAt), raws: compositions.map(\.raw), userID: user,
          provider: provider, reach: Self.compositionReach))
    }
    guard !batch.sleeps.isEmpty else { return }
    for start in stride(from: 0, to: batch.sleeps.count, by: Self.sleepsAtOnce) {
      let part = batch.sleeps[start..<min(start + Self.sleepsAtOnce, batch.sleeps.count)]
      try await tx.rows(
        each: part.map { sleep in
          PutSleep(
            userID: user, provider: sleep.provider, externalID: sleep.externalID, startedAt: sleep.startedAt,
            endedAt: sleep.endedAt, timeZone: sleep.timeZone, asleepS: sleep.asleepSeconds, raw: sleep.raw, now: now)
        })
    }
    for (provider, sleeps) in Dictionary(grouping: batch.sleeps, by: \.provider) {
      try await countSleeps(by: provider, with: sleeps, of: user, tx)
    }
  }

  private static let sleepsAtOnce = 500

  /// Seconds between a weighing and what the same scale says of the body at most.
  private static let compositionReach = 60.0

  /// A sleep that is reported again is as long as this away at most.
  private static let sleepReach = Duration.seconds(15 * 86_400)

  /// Decides again which sleeps around some count.
  private func countSleeps(
    by provider: String, with sleeps: [ImportedSleep], of user: UserID, _ tx: Transaction
  ) async throws {
    guard let first = sleeps.map(\.startedAt).min(), let last = sleeps.map(\.endedAt).max() else { return }
    let rows = try await tx.rows(
      SleepsAround(
        userID: user, provider: provider, earliest: first - Self.sleepReach, latest: last + Self.sleepReach))
    let changed = try await work.run(for: user) {
      let counted = CountedSleeps.ids(
        of: rows.map {
          SleepSpan(
            externalID: $0.externalID, startedAt: $0.startedAt, endedAt: $0.endedAt, asleepSeconds: $0.asleepS)
        })
      return rows.filter { $0.counted != counted.contains($0.externalID) }.map(\.externalID)
    }
    guard !changed.isEmpty else { return }
    try await tx.execute(ChangeCounted(userID: user, provider: provider, externalIDs: changed))
  }
}
