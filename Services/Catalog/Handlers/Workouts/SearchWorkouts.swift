import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Pagination
import TTRPC
import TandemCatalog

extension Workouts {
  /// A page of the curated workouts and the caller's own that match keywords and muscle groups ([CA-13], [C-7]).
  package func searchWorkouts(
    _ call: SearchWorkoutsRequest, _ context: CallContext
  ) async throws -> SearchWorkoutsResponse {
    let viewer = try context.userID
    var bad = Violations()
    let groups = bad.muscleGroups(call.muscleGroups, "muscle_groups")
    let query = call.query.isEmpty && !call.muscleGroups.isEmpty ? nil : bad.query(call.query, "query")
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, WorkoutID.self)
    try bad.check()
    let (found, step) = try await turns.run(for: viewer) {
      try await operations.searchWorkouts(for: query, groups, seenBy: viewer, after: page.after, limit: page.limit)
    }
    let (rows, next) = try page.cut(found) { (step.rawValue, $0.score, $0.workout.id) }
    return SearchWorkoutsResponse(
      workouts: try await shown(rows.map(\.workout)), match: rows.isEmpty ? .unspecified : step.wire,
      notice: rows.isEmpty ? "No match workout" : "", nextPageToken: next)
  }
}
