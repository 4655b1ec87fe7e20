import CatalogDomain
import CatalogStore
import FieldViolations
import Pagination
import TTRPC
import TandemCatalog

extension Workouts {
  /// A page of the curated workouts, by name ([CA-11], [C-5]).
  package func listCuratedWorkouts(
    _ call: ListCuratedWorkoutsRequest, _ context: CallContext
  ) async throws -> ListCuratedWorkoutsResponse {
    var bad = Violations()
    let level = ExerciseLevel(rawValue: call.level)
    if level == nil, !call.level.isEmpty { bad.add("level", "There is no such level", CatalogReason.levelUnknown) }
    let page = try pages.page(of: call, context, &bad, by: String.self, WorkoutID.self)
    try bad.check()
    let found = try await database.rows(
      CuratedWorkouts(level: level, afterNames: page.after?.0, afterID: page.after?.1, limit: page.limit))
    let (rows, next) = try page.cut(found) { ($0.names, $0.workout.id) }
    return ListCuratedWorkoutsResponse(workouts: try await shown(rows.map(\.workout)), nextPageToken: next)
  }
}
