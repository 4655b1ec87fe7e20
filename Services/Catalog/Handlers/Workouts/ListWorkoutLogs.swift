import CatalogStore
import FieldViolations
import Identifiers
import Pagination
import TTRPC
import TandemCatalog

extension Workouts {
  /// A page of the caller's workout logs, the latest first ([CA-14], [C-5]).
  package func listWorkoutLogs(
    _ call: ListWorkoutLogsRequest, _ context: CallContext
  ) async throws -> ListWorkoutLogsResponse {
    let owner = try context.userID
    var bad = Violations()
    let workout = call.workoutID.isEmpty ? nil : bad.workoutID(call.workoutID)
    let page = try pages.page(of: call, context, &bad, by: Instant.self, WorkoutLogID.self)
    try bad.check()
    let found = try await database.rows(
      WorkoutLogsBefore(
        ownerID: owner, workoutID: workout, beforeStartedAt: page.after?.0, beforeID: page.after?.1,
        limit: page.limit))
    let (rows, next) = try page.cut(found) { ($0.startedAt, $0.id) }
    let sets = rows.isEmpty ? [] : try await database.rows(SetsOfLogs(logIDs: rows.map(\.id)))
    let byLog = Dictionary(grouping: sets, by: \.logID)
    return ListWorkoutLogsResponse(logs: rows.map { WorkoutLog($0, byLog[$0.id] ?? []) }, nextPageToken: next)
  }
}
