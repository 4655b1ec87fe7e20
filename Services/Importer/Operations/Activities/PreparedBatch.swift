import Identifiers
import ImporterDomain

/// Records that are ready to be stored: cleaned, in order, and with all that is computed of them.
package struct PreparedBatch: Sendable {
  /// By their starts.
  var reports: [Report] = []
  /// The import whose reports are staged (``ActivityOperations/stage(_:of:by:in:)``), if they are not in `reports`.
  var staged: ImportID?
  /// Without activities.
  var days = ImportedBatch()

  /// The reports without those that a source repeats, of which the last stays, in the order of their starts.
  static func inOrder(_ reports: [Report]) -> [Report] {
    var places: [String: Int] = [:]
    for (place, report) in reports.enumerated() { places[report.key] = place }
    return places.values.map { reports[$0] }.sorted {
      ($0.activity.startedAt, $0.key) < ($1.activity.startedAt, $1.key)
    }
  }
}

extension ActivityOperations {
  /// Points whose activities are prepared in one go, and activities: then others' work has its turn.
  private static let (pointsAtOnce, activitiesAtOnce) = (100_000, 500)

  /// Cleans records and computes what is stored beside them, before a connection is taken.
  ///
  /// - Parameter staged: the import whose activities were staged, all of them; then the batch has none.
  /// - Throws: `HeavyWork.Overloaded`, `CancellationError`.
  package func prepared(
    _ batch: ImportedBatch, of user: UserID, staged: ImportID? = nil
  ) async throws -> PreparedBatch {
    precondition(staged == nil || batch.activities.isEmpty, "activities are staged all or none")
    var reports: [Report] = []
    reports.reserveCapacity(batch.activities.count)
    for part in Self.parts(batch.activities) {
      reports += try await work.run(for: user) { thread in part.compactMap { Report(of: $0, on: thread) } }
    }
    var days = batch
    days.activities = []
    return try await work.run(for: user) { [days, reports] in
      PreparedBatch(reports: PreparedBatch.inOrder(reports), staged: staged, days: days.cleaned)
    }
  }

  static func parts(_ activities: [ImportedActivity]) -> [ArraySlice<ImportedActivity>] {
    var (parts, start, points): ([ArraySlice<ImportedActivity>], Int, Int) = ([], 0, 0)
    for (place, activity) in activities.enumerated() {
      points += activity.track?.points.count ?? 0
      guard points >= pointsAtOnce || place + 1 - start >= activitiesAtOnce else { continue }
      parts.append(activities[start...place])
      (start, points) = (place + 1, 0)
    }
    if start < activities.count { parts.append(activities[start...]) }
    return parts
  }
}
