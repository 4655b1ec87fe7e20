import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

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

extension ActivityOperations {
  /// Stores records of a user, which replace those that the same source reported before, and merges those of the same outing.
  ///
  /// The same batch again changes nothing.
  /// - Parameter importID: the import that brings them; `nil` if none is recorded.
  /// - Throws: `StorageUse.Excess` when the user would have more than the quota allows.
  package func storeRecords(
    _ batch: PreparedBatch, from origin: RecordOrigin, of user: UserID, by importID: ImportID?, _ tx: Transaction
  ) async throws -> StoredCounts {
    try await lock(user, tx)
    let before = try await use(of: user, tx)
    let batch = origin == .provider ? try await wanted(batch, of: user, tx) : batch
    var (counts, seen) = (StoredCounts(), Set<ActivityID>())
    var parts = ReportParts(of: batch)
    while let part = try await parts.next(for: user, by: work, tx) {
      for place in try await placeReports(part, of: user, by: importID, tx) { counts.add(place, &seen) }
    }
    try await storeDays(batch.days, from: origin, of: user, tx)
    (counts.stepDays, counts.sleeps, counts.weights) = (
      batch.days.steps.count, batch.days.sleeps.count, batch.days.weights.count
    )
    if let before, let excess = try await use(of: user, tx)?.excess(of: quota, since: before) { throw excess }
    return counts
  }

  private func use(of user: UserID, _ tx: Transaction) async throws -> StorageUse? {
    try await tx.first(StorageOfUser(userID: user)).map { StorageUse($0) }
  }

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
