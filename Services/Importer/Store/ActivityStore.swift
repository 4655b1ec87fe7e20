import Cryptography
import Environment
import Events
import Identifiers
import ImporterDomain
import Postgres
import TandemEvents
import Timestamps

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

  package static func += (sum: inout StoredCounts, more: StoredCounts) {
    sum.newActivities += more.newActivities
    sum.mergedActivities += more.mergedActivities
    sum.knownActivities += more.knownActivities
    sum.stepDays += more.stepDays
    sum.sleeps += more.sleeps
    sum.weights += more.weights
    let known = Set(sum.activityIDs)
    sum.activityIDs += more.activityIDs.filter { !known.contains($0) }
  }
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
/// Every method takes the lock of the user's records first, so changes of one user's records are one after the other. As the lock is
/// waited for within the transaction, run it by `Database.repeatableTransaction`.
package struct ActivityStore: Sendable {
  let environment: Environment
  let events: Outbox

  package init(environment: Environment, events: Outbox) {
    (self.environment, self.events) = (environment, events)
  }

  /// Stores records of a user, which replace those that the same source reported before, and merges those of the same outing.
  ///
  /// The same batch again changes nothing. Records that cannot be (see `Plausible`) are left out.
  /// - Parameter importID: the import that brings them; `nil` if none is recorded.
  package func store(
    _ batch: ImportedBatch, from origin: RecordOrigin, of user: UserID, by importID: ImportID?, in tx: Transaction
  ) async throws -> StoredCounts {
    try await tx.execute(LockActivitiesOfUser(userID: user))
    let batch = origin == .provider ? try await wanted(batch.cleaned, of: user, tx) : batch.cleaned
    var counts = StoredCounts()
    let activities = batch.activities.sorted { $0.startedAt < $1.startedAt }
    for start in stride(from: 0, to: activities.count, by: Self.activitiesAtOnce) {
      let part = activities[start..<min(start + Self.activitiesAtOnce, activities.count)]
      counts += try await store(Array(part), of: user, by: importID, tx)
    }
    try await storeDays(batch, from: origin, of: user, tx)
    (counts.stepDays, counts.sleeps, counts.weights) = (batch.steps.count, batch.sleeps.count, batch.weights.count)
    return counts
  }

  /// Bounds what is in memory of other sources that may report the same outings.
  private static let activitiesAtOnce = 200

  // MARK: What was deleted

  /// The records without those that the user has deleted here: of what was deleted as a whole, all before that moment, also
  /// what was not yet imported then. Some providers report their last month whatever they are asked for.
  private func wanted(
    _ batch: ImportedBatch, of user: UserID, _ tx: Transaction
  ) async throws -> ImportedBatch {
    var batch = batch
    for deletion in try await tx.rows(DeletionsOfUser(userID: user)) {
      let (provider, moment) = (deletion.provider, deletion.deletedUntil)
      // The user's zone is not known; at most a day more or less is.
      let day = CivilDate(daysSince1970: Int(moment.wholeSeconds / 86_400))
      batch.activities.removeAll { $0.provider == provider && $0.startedAt < moment }
      batch.steps.removeAll { $0.provider == provider && $0.day < day }
      batch.sleeps.removeAll { $0.provider == provider && $0.endedAt < moment }
      batch.weights.removeAll { $0.provider == provider && $0.measuredAt < moment }
    }
    batch.activities = try await wanted(batch.activities, of: user, tx)
    return batch
  }

  /// The reports without those of activities that the user has deleted one by one.
  private func wanted(
    _ activities: [ImportedActivity], of user: UserID, _ tx: Transaction
  ) async throws -> [ImportedActivity] {
    var deleted: Set<String> = []
    for (provider, reports) in Dictionary(grouping: activities, by: \.provider) {
      let ids = reports.map(\.externalID)
      for id in try await tx.rows(DeletedActivities(userID: user, provider: provider, externalIDs: ids)) {
        deleted.insert(Report.key(provider, id))
      }
    }
    return deleted.isEmpty
      ? activities : activities.filter { !deleted.contains(Report.key($0.provider, $0.externalID)) }
  }

  // MARK: Activities

  private func store(
    _ activities: [ImportedActivity], of user: UserID, by importID: ImportID?, _ tx: Transaction
  ) async throws -> StoredCounts {
    let reports = activities.map { Report($0) }
    var outings = try await outings(near: reports, of: user, tx)
    let known = try await known(reports, of: user, tx)
    var (counts, places) = (StoredCounts(), [Place]())
    for report in reports {
      let place = outings.place(
        report, known: known[report.key], newID: { .init(activity: environment.newID(), source: environment.newID()) })
      places.append(place)
      counts.add(place)
    }
    try await write(zip(reports, places).filter { $1.isChange }.map { ($0, $1) }, of: user, by: importID, tx)
    return counts
  }

  private func known(
    _ reports: [Report], of user: UserID, _ tx: Transaction
  ) async throws -> [String: KnownSources.Row] {
    var known: [String: KnownSources.Row] = [:]
    for (provider, ids) in Dictionary(grouping: reports, by: \.activity.provider).mapValues({
      $0.map(\.activity.externalID)
    }) {
      for row in try await tx.rows(KnownSources(userID: user, provider: provider, externalIDs: ids)) {
        known[Report.key(provider, row.externalID)] = row
      }
    }
    return known
  }

  private func outings(near reports: [Report], of user: UserID, _ tx: Transaction) async throws -> Outings {
    let starts = reports.map(\.activity.startedAt)
    guard let earliest = starts.min(), let latest = starts.max() else { return Outings([]) }
    let reach = SameOuting.window
    return Outings(
      try await tx.rows(
        SourcesNear(
          userID: user, starts: starts, reach: reach.components.seconds, earliest: earliest - reach,
          latest: latest + reach)))
  }

  private func write(
    _ changes: [(Report, Place)], of user: UserID, by importID: ImportID?, _ tx: Transaction
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
    try await refresh(changes.map(\.1.activity), of: user, tx)
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
          lowers: origin == .provider))
    }
    for (provider, weights) in Dictionary(grouping: batch.weights, by: \.provider) {
      try await tx.execute(
        PutWeights(
          userID: user, provider: provider, now: now, moments: weights.map(\.measuredAt),
          weightsKg: weights.map(\.kilograms)))
    }
    guard !batch.sleeps.isEmpty else { return }
    try await tx.rows(
      each: batch.sleeps.map { sleep in
        PutSleep(
          userID: user, provider: sleep.provider, externalID: sleep.externalID, startedAt: sleep.startedAt,
          endedAt: sleep.endedAt, timeZone: sleep.timeZone, asleepS: sleep.asleepSeconds, raw: sleep.raw, now: now)
      })
    for (provider, sleeps) in Dictionary(grouping: batch.sleeps, by: \.provider) {
      try await countSleeps(by: provider, with: sleeps, of: user, tx)
    }
  }

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
    let counted = CountedSleeps.ids(
      of: rows.map {
        SleepSpan(
          externalID: $0.externalID, startedAt: $0.startedAt, endedAt: $0.endedAt, asleepSeconds: $0.asleepS)
      })
    let changed = rows.filter { $0.counted != counted.contains($0.externalID) }.map(\.externalID)
    guard !changed.isEmpty else { return }
    try await tx.execute(ChangeCounted(userID: user, provider: provider, externalIDs: changed))
  }

  // MARK: Deletion and splitting

  /// Deletes one activity of a user, which providers that are connected do not bring back; false if there is none.
  package func delete(_ activity: ActivityID, of user: UserID, in tx: Transaction) async throws -> Bool {
    try await tx.execute(LockActivitiesOfUser(userID: user))
    try await tx.execute(RememberDeletedActivity(now: environment.clock.now, activityID: activity, userID: user))
    guard try await tx.first(DeleteActivity(activityID: activity, userID: user)) != nil else { return false }
    try await publishRemoved([activity], of: user, tx)
    return true
  }

  /// Deletes what a provider reported of a user, or with `nil` all that was imported; returns how many activities are gone, and how many
  /// lost a source and stay. Providers that are connected do not bring it back.
  package func deleteAll(
    by provider: String?, of user: UserID, in tx: Transaction
  ) async throws -> (deleted: Int, changed: Int) {
    try await tx.execute(LockActivitiesOfUser(userID: user))
    let now = environment.clock.now
    try await tx.execute(RememberDeletedSources(now: now, userID: user, provider: provider))
    try await tx.execute(NoteDeletion(now: now, userID: user, provider: provider))
    try await tx.execute(DeleteSteps(userID: user, provider: provider))
    try await tx.execute(DeleteSleeps(userID: user, provider: provider))
    try await tx.execute(DeleteWeights(userID: user, provider: provider))
    guard let provider else {
      let gone = try await tx.rows(DeleteAllActivities(userID: user))
      try await publishRemoved(gone, of: user, tx)
      return (gone.count, 0)
    }
    let touched = try await tx.rows(DeleteSourcesOfProvider(userID: user, provider: provider))
    let gone = Set(try await tx.rows(DeleteActivitiesWithoutSource(activityIDs: touched)))
    try await publishRemoved(Array(gone), of: user, tx)
    let left = touched.filter { !gone.contains($0) }
    try await refresh(left, of: user, tx)
    return (gone.count, left.count)
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
    try await tx.execute(LockActivitiesOfUser(userID: user))
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
  fileprivate mutating func add(_ place: Place) {
    switch place.outcome {
    case .new: newActivities += 1
    case .merged: mergedActivities += 1
    case .changed, .unchanged: knownActivities += 1
    }
    if !activityIDs.contains(place.activity) { activityIDs.append(place.activity) }
  }
}
