import CatalogStore
import FieldViolations
import Identifiers
import TTRPC
import TandemCatalog
import Timestamps

extension Workouts {
  /// The caller's workout logs that were created or deleted since a token ([C-11]).
  package func listMyWorkoutLogChanges(
    _ call: ListMyWorkoutLogChangesRequest, _ context: CallContext
  ) async throws -> ListMyWorkoutLogChangesResponse {
    let owner = try context.userID
    var bad = Violations()
    let size = bad.changesSize(call.pageSize)
    let named = bad.changeToken(call.since)
    let since = try bad.all(named)
    let last = try await database.first(LogChangesOfUser(userID: owner)) ?? 0
    let epoch = try await since.check(against: last, in: database)
    let found = try await database.rows(ChangedLogs(ownerID: owner, after: since.change, limit: Int64(size) + 1))
    let rows = found.prefix(size)
    let logs = try await logs(rows.filter { $0.deletedAt == nil }.map(\.logID), of: owner)
    return ListMyWorkoutLogChangesResponse(
      changes: rows.compactMap { row in
        let log = logs[row.logID]
        // One that was deleted meanwhile comes with its deletion.
        guard log != nil || row.deletedAt != nil else { return nil }
        return WorkoutLogChange(logID: row.logID.description, log: log, deleteTime: row.deletedAt?.timestamp)
      },
      nextSince: ChangeToken(change: rows.last?.change ?? since.change, epoch: epoch).text, more: found.count > size)
  }

  private func logs(_ ids: [WorkoutLogID], of owner: UserID) async throws -> [WorkoutLogID: WorkoutLog] {
    guard !ids.isEmpty else { return [:] }
    let (stored, sets) = try await (
      database.rows(LogsByIDs(ownerID: owner, logIDs: ids)), database.rows(SetsOfLogs(logIDs: ids))
    )
    let byLog = Dictionary(grouping: sets, by: \.logID)
    return Dictionary(stored.map { ($0.id, WorkoutLog($0, byLog[$0.id] ?? [])) }) { first, _ in first }
  }
}
