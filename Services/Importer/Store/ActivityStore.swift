import Cryptography
import Environment
import Events
import Identifiers
import ImporterDomain
import Postgres
import TandemEvents
import Timestamps
import WorkerPool

/// What became of the records of a batch.
package struct StoredCounts: Sendable, Equatable {
  /// Activities that were not known before.
  package var newActivities = 0
  /// Activities that became another source of a known one.
  package var mergedActivities = 0
  /// Activities that were known from the same source.
  package var knownActivities = 0
  package var stepDays = 0
  package var sleeps = 0
  package var weights = 0
  /// The activities of the batch, each once.
  package var activityIDs: [ActivityID] = []

  package init() {}
}

/// Whose wish it is that records are stored, which decides what they may change.
package enum RecordOrigin: Sendable {
  /// A provider reports what it has: not what the user has deleted here.
  case provider
  /// The user uploads it: it comes back although it was deleted. A file may contain parts of days only, so it lowers no steps.
  case upload
}

/// Stores what sources report, each outing once ([IM-7], [IM-8]), and publishes what changed.
///
/// Changes of one user's records are one after the other: a transaction that calls a method which changes them runs within ``inTurn(of:)``.
package struct ActivityStore: Sendable {
  let environment: Environment
  let events: Outbox
  package let work: HeavyWork
  package let quota: StorageUse
  private let turns = UserTurns()

  /// - Parameters:
  ///   - work: where what takes long is computed.
  ///   - quota: how much may be stored of a user.
  package init(environment: Environment, events: Outbox, work: HeavyWork, quota: StorageUse) {
    (self.environment, self.events, self.work, self.quota) = (environment, events, work, quota)
  }

  /// Runs a transaction that changes a user's records once no other one of theirs runs; it takes its connection only then.
  ///
  /// - Parameter patience: how long it may have to wait.
  /// - Throws: `RecordsBusy`, or what `body` throws.
  nonisolated(nonsending) package func inTurn<Result>(
    of user: UserID, patience: Duration = .seconds(8), _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result { try await turns.run(for: user, patience: patience, body) }

  private func lock(_ user: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(TryLockActivitiesOfUser(userID: user)) == true else { throw RecordsLocked() }
  }

  /// What is stored of a user.
  package static func storageOfUser(_ row: StorageOfUser.Row) -> StorageUse {
    StorageUse(
      activities: row.activities, bytes: row.bytes, stepDays: row.stepDays, sleeps: row.sleeps, weights: row.weights)
  }

  private func use(of user: UserID, _ tx: Transaction) async throws -> StorageUse? {
    try await tx.first(StorageOfUser(userID: user)).map(Self.storageOfUser)
  }

  /// Stores records of a user, which replace those that the same source reported before, and merges those of the same outing.
  ///
  /// The same batch again changes nothing.
  /// - Parameter importID: the import that brings them; `nil` if none is recorded.
  /// - Throws: `StorageUse.Excess` when the user would have more than the quota allows.
  package func store(
    _ batch: PreparedBatch, from origin: RecordOrigin, of user: UserID, by importID: ImportID?, in tx: Transaction
  ) async throws -> StoredCounts {
    try await lock(user, tx)
    let before = try await use(of: user, tx)
    let batch = origin == .provider ? try await wanted(batch, of: user, tx) : batch
    var (counts, seen) = (StoredCounts(), Set<ActivityID>())
    var parts = ReportParts(of: batch)
    while let part = try await parts.next(for: user, by: work, tx) {
      for place in try await store(part, of: user, by: importID, tx) { counts.add(place, &seen) }
    }
    try await storeDays(batch.days, from: origin, of: user, tx)
    (counts.stepDays, counts.sleeps, counts.weights) = (
      batch.days.steps.count, batch.days.sleeps.count, batch.days.weights.count
    )
    if let before, let excess = try await use(of: user, tx)?.excess(of: quota, since: before) { throw excess }
    return counts
  }

  // MARK: What was deleted

  /// The records without those that the user has deleted here: of what was deleted as a whole, all before that moment, also
  /// what was not yet imported then. Some providers report their last month whatever they are asked for.
  private func wanted(
    _ batch: PreparedBatch, of user: UserID, _ tx: Transaction
  ) async throws -> PreparedBatch {
    var batch = batch
    for deletion in try await tx.rows(DeletionsOfUser(userID: user)) {
      let (provider, moment) = (deletion.provider, deletion.deletedUntil)
      // The user's zone is not known; at most a day more or less is.
      let day = CivilDate(daysSince1970: Int(moment.wholeSeconds / 86_400))
      batch.reports.removeAll { $0.activity.provider == provider && $0.activity.startedAt < moment }
      batch.days.steps.removeAll { $0.provider == provider && $0.day < day }
      batch.days.sleeps.removeAll { $0.provider == provider && $0.endedAt < moment }
      batch.days.weights.removeAll { $0.provider == provider && $0.measuredAt < moment }
    }
    batch.reports = try await wanted(batch.reports, of: user, tx)
    return batch
  }

  /// The reports without those of activities that the user has deleted one by one.
  private func wanted(_ reports: [Report], of user: UserID, _ tx: Transaction) async throws -> [Report] {
    var deleted: Set<String> = []
    for (provider, ids) in Self.ids(of: reports) {
      for id in try await tx.rows(DeletedActivities(userID: user, provider: provider, externalIDs: ids)) {
        deleted.insert(Report.key(provider, id))
      }
    }
    return deleted.isEmpty ? reports : reports.filter { !deleted.contains($0.key) }
  }

  private static func ids(of reports: [Report]) -> [String: [String]] {
    Dictionary(grouping: reports, by: \.activity.provider).mapValues { $0.map(\.activity.externalID) }
  }

  // MARK: Activities

  private func store(
    _ reports: [Report], of user: UserID, by importID: ImportID?, _ tx: Transaction
  ) async throws -> [Place] {
    let known = try await known(reports, of: user, tx)
    let near = try await near(reports.filter { known[$0.key] == nil }, of: user, tx)
    let ids = reports.map { _ in (activity: environment.newID() as ActivityID, source: environment.newID() as SourceID)
    }
    let (places, parts) = try await work.run(for: user) { thread in
      Self.places(of: reports, known: known, near: near, ids, on: thread)
    }
    try await write(Array(zip(reports, places)).filter { $1.isChange }, joining: parts, of: user, by: importID, tx)
    return places
  }

  /// The place of each report, and the known activities that turned out to be parts of others, with these.
  private static func places(
    of reports: [Report], known: [String: KnownSources.Row], near: [KnownReport],
    _ ids: [(activity: ActivityID, source: SourceID)], on thread: borrowing PoolThread
  ) -> ([Place], [(part: ActivityID, whole: ActivityID)]) {
    var (outings, places) = (Outings(near), [Place]())
    for (report, id) in zip(reports, ids) {
      if let known = known[report.key] {
        // One that the same source reported before stays where it is.
        let outcome = known.digest == report.digest ? Place.Outcome.unchanged : .changed
        places.append(Place(activity: known.activityID, source: known.id, outcome: outcome))
      } else {
        let activity = outings.place(report.facts, as: id.source, new: id.activity, on: thread)
        places.append(Place(activity: activity, source: id.source, outcome: .merged))
      }
    }
    let existing = Set(near.map(\.activity)).union(known.values.map(\.activityID))
    var made = existing
    for index in places.indices {
      places[index].activity = outings.whole(of: places[index].activity)
      guard places[index].outcome == .merged else { continue }
      if made.insert(places[index].activity).inserted { places[index].outcome = .new }
    }
    let parts = existing.map { (part: $0, whole: outings.whole(of: $0)) }.filter { $0.part != $0.whole }
    return (places, parts.sorted { $0.part < $1.part })
  }

  private func known(
    _ reports: [Report], of user: UserID, _ tx: Transaction
  ) async throws -> [String: KnownSources.Row] {
    var known: [String: KnownSources.Row] = [:]
    for (provider, ids) in Self.ids(of: reports) {
      for row in try await tx.rows(KnownSources(userID: user, provider: provider, externalIDs: ids)) {
        known[Report.key(provider, row.externalID)] = row
      }
    }
    return known
  }

  /// The stored reports that new ones may belong to, with what else is known of their activities.
  private func near(_ reports: [Report], of user: UserID, _ tx: Transaction) async throws -> [KnownReport] {
    guard !reports.isEmpty else { return [] }
    let rows = try await tx.rows(SourcesNear(of: user, reports.map(\.facts)))
    guard !rows.isEmpty else { return [] }
    let beside = try await tx.rows(
      SourcesBeside(sources: Int64(Outings.sourcesOfActivity), activityIDs: Array(Set(rows.map(\.activityID))).sorted())
    )
    return try await work.run(for: user) {
      let found = Set(rows.map(\.id))
      return rows.map { KnownReport($0) } + beside.filter { !found.contains($0.id) }.map { KnownReport($0) }
    }
  }

  private func write(
    _ changes: [(Report, Place)], joining parts: [(part: ActivityID, whole: ActivityID)], of user: UserID,
    by importID: ImportID?, _ tx: Transaction
  ) async throws {
    guard !changes.isEmpty else { return }
    let now = environment.clock.now
    try await tx.rows(
      each: changes.filter { $1.outcome == .new }.map { report, place in
        InsertActivity(
          activityID: place.activity, userID: user, sport: report.activity.sport,
          startedAt: report.activity.startedAt, timeZone: report.activity.timeZone,
          durationS: report.activity.durationSeconds, title: report.activity.title, now: now)
      })
    try await tx.rows(
      each: changes.map { report, place in PutSource(report, place, of: user, by: importID, now: now) })
    try await writeEfforts(changes, tx)
    try await join(parts, of: user, tx)
    try await refresh(changes.map(\.1.activity), of: user, tx)
  }

  /// Makes activities one with those that they are parts of.
  private func join(
    _ parts: [(part: ActivityID, whole: ActivityID)], of user: UserID, _ tx: Transaction
  ) async throws {
    guard !parts.isEmpty else { return }
    try await tx.execute(MoveSources(parts: parts.map(\.part.uuid), wholes: parts.map(\.whole.uuid)))
    let gone = try await tx.rows(DeleteActivitiesWithoutSource(activityIDs: parts.map(\.part)))
    try await publishRemoved(gone, of: user, tx)
  }

  private func writeEfforts(_ changes: [(Report, Place)], _ tx: Transaction) async throws {
    var (sources, distances, times): ([SourceID], [Double], [Double]) = ([], [], [])
    for (report, place) in changes {
      for (distance, time) in report.efforts {
        sources.append(place.source)
        distances.append(distance)
        times.append(time)
      }
    }
    try await tx.execute(DeleteEfforts(sourceIDs: changes.map(\.1.source)))
    try await tx.execute(InsertEfforts(sourceIDs: sources, distancesM: distances, durationsS: times))
  }

  /// Computes the figures of activities from their sources, and publishes them.
  private func refresh(_ activities: [ActivityID], of user: UserID, _ tx: Transaction) async throws {
    guard !activities.isEmpty else { return }
    let ids = Array(Set(activities)).sorted()
    let rows = try await tx.rows(SourcesOfActivities(activityIDs: ids))
    let now = environment.clock.now
    let merged = Dictionary(grouping: rows, by: \.activityID).compactMapValues {
      SourceFigures.merged($0.map { SourceFigures($0.figure, positions: $0.positionCount, samples: $0.sampleCount) })
    }
    let changed = merged.sorted { $0.key < $1.key }
    guard !changed.isEmpty else { return }
    try await tx.rows(each: changed.map { UpdateActivity($0.key, $0.value, now: now) })
    try await events.publish(
      each: changed.map { id, figures in
        ActivityStored(
          activityID: id.description, userID: user.description, startTime: figures.startedAt.timestamp,
          timeZone: figures.timeZone, distanceM: figures.distanceMetres ?? 0)
      }, in: tx)
  }

  // MARK: Steps, sleep and weight

  private func storeDays(
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

  // MARK: Deletion and splitting

  /// Deletes one activity of a user, which providers that are connected do not bring back; false if there is none.
  package func delete(_ activity: ActivityID, of user: UserID, in tx: Transaction) async throws -> Bool {
    try await lock(user, tx)
    try await tx.execute(RememberDeletedActivity(now: environment.clock.now, activityID: activity, userID: user))
    guard try await tx.first(DeleteActivity(activityID: activity, userID: user)) != nil else { return false }
    try await publishRemoved([activity], of: user, tx)
    return true
  }

  /// Deletes what a provider reported by an id, because it is gone there; what other sources reported of it stays.
  package func deleteReport(
    _ externalID: String, by provider: String, of user: UserID, in tx: Transaction
  ) async throws {
    try await lock(user, tx)
    let gone = try await tx.first(
      DeleteReportedSource(userID: user, provider: provider, externalID: externalID))
    guard let activity = gone else { return }
    if try await tx.rows(DeleteActivitiesWithoutSource(activityIDs: [activity])).isEmpty {
      try await refresh([activity], of: user, tx)
    } else {
      try await publishRemoved([activity], of: user, tx)
    }
  }

  /// What a deletion of a user's records has done so far.
  package struct Deletion: Sendable {
    /// Activities that are gone.
    package fileprivate(set) var deleted = 0
    private(set) fileprivate var touched: Set<ActivityID> = []
    fileprivate var isBegun = false

    package init() {}

    /// Activities that lost a source and stay.
    package var changed: Int { touched.count }

    fileprivate mutating func note(gone: Set<ActivityID>, left: [ActivityID]) {
      deleted += gone.count
      touched.subtract(gone)
      touched.formUnion(left)
    }
  }

  /// Deletes a part of what a provider reported of a user, or with `nil` of all that was imported; false once nothing is left. Providers
  /// that are connected do not bring it back.
  ///
  /// A part takes a fraction of a statement's time; nothing else changes the user's records while one is deleted.
  package func deletePart(
    by provider: String?, of user: UserID, _ deletion: inout Deletion, in tx: Transaction
  ) async throws -> Bool {
    try await lock(user, tx)
    let now = environment.clock.now
    if !deletion.isBegun {
      try await tx.execute(NoteDeletedProviders(userID: user, now: now, provider: provider))
      try await tx.execute(NoteDeletion(now: now, userID: user, provider: provider))
    }
    deletion.isBegun = true
    let touched = Set(try await tx.rows(DeleteSomeSources(of: user, by: provider, remembered: now)))
    guard touched.isEmpty else {
      let gone = Set(try await tx.rows(DeleteActivitiesWithoutSource(activityIDs: touched.sorted())))
      try await publishRemoved(Array(gone), of: user, tx)
      let left = touched.subtracting(gone).sorted()
      try await refresh(left, of: user, tx)
      deletion.note(gone: gone, left: left)
      return true
    }
    var rows = RecordPart.rows
    rows -= Int64(try await tx.rows(DeleteSomeSteps(userID: user, provider: provider, limit: rows)).count)
    rows -= Int64(try await tx.rows(DeleteSomeSleeps(userID: user, provider: provider, limit: rows)).count)
    rows -= Int64(try await tx.rows(DeleteSomeWeights(userID: user, provider: provider, limit: rows)).count)
    return rows == 0
  }

  /// How splitting ended.
  package enum Splitting: Sendable, Equatable {
    case done(ActivityID)
    case noActivity
    case noSource
    case onlySource
  }

  /// Makes a source of a user's activity one of its own. It stays so: a source that is known keeps its activity when it is imported again.
  package func split(
    _ source: SourceID, from activity: ActivityID, of user: UserID, in tx: Transaction
  ) async throws -> Splitting {
    try await lock(user, tx)
    guard try await tx.first(ActivityOfUser(activityID: activity, userID: user)) != nil else { return .noActivity }
    let sources = try await tx.rows(SourcesOfActivities(activityIDs: [activity]))
    guard let own = sources.first(where: { $0.id == source }) else { return .noSource }
    guard sources.count > 1 else { return .onlySource }
    let new: ActivityID = environment.newID()
    try await tx.execute(
      InsertActivity(
        activityID: new, userID: user, sport: own.figure.sport, startedAt: own.figure.startedAt,
        timeZone: own.figure.timeZone, durationS: own.figure.durationS, title: own.figure.title,
        now: environment.clock.now))
    try await tx.execute(MarkSplitOff(activityID: new))
    try await tx.execute(MoveSource(activityID: new, sourceID: source))
    try await refresh([activity, new], of: user, tx)
    return .done(new)
  }

  private func publishRemoved(_ activities: [ActivityID], of user: UserID, _ tx: Transaction) async throws {
    try await events.publish(
      each: activities.sorted().map { ActivityRemoved(activityID: $0.description, userID: user.description) }, in: tx)
  }
}

extension StoredCounts {
  fileprivate mutating func add(_ place: Place, _ seen: inout Set<ActivityID>) {
    switch place.outcome {
    case .new: newActivities += 1
    case .merged: mergedActivities += 1
    case .changed, .unchanged: knownActivities += 1
    }
    if seen.insert(place.activity).inserted { activityIDs.append(place.activity) }
  }
}
