import CatalogDomain
import CatalogStore
import FieldViolations
import Pagination
import Postgres
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
    let (found, step) = try await Self.run(query, page.after, database) { after in
      WorkoutSearch(by: viewer, groups, after: after, limit: page.limit)
    }
    let (rows, next) = try page.cut(found) { (step.rawValue, $0.score, $0.workout.id) }
    return SearchWorkoutsResponse(
      workouts: try await shown(rows.map(\.workout)), match: rows.isEmpty ? .unspecified : step.wire,
      notice: rows.isEmpty ? "No match workout" : "", nextPageToken: next)
  }

  /// Runs the second step only if the first finds nothing.
  private static func run(
    _ query: SearchQuery?, _ position: (Int64, Double, WorkoutID)?, _ database: Database,
    _ search: ((Double, WorkoutID)?) -> WorkoutSearch
  ) async throws -> (found: [FoundWorkout], step: SearchStep) {
    let search = search(position.map { ($0.1, $0.2) })
    guard let query else { return (try await database.rows(WorkoutsOfGroups(search)), .all) }
    if position == nil || position?.0 == SearchStep.exact.rawValue {
      let found = try await database.rows(WorkoutsWithKeywords(query, search))
      if !found.isEmpty || position != nil { return (found, .exact) }
    }
    return (try await database.rows(SimilarWorkouts(query, search)), .similar)
  }
}
