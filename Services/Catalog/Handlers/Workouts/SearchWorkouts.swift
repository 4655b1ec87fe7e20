import CatalogDomain
import CatalogStore
import FieldViolations
import Identifiers
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
    let search = Search(query: query, viewer: viewer, groups: groups, limit: page.limit)
    let (found, step) = try await turns.run(for: viewer) { try await search.run(after: page.after, database) }
    let (rows, next) = try page.cut(found) { (step.rawValue, $0.score, $0.workout.id) }
    return SearchWorkoutsResponse(
      workouts: try await shown(rows.map(\.workout)), match: rows.isEmpty ? .unspecified : step.wire,
      notice: rows.isEmpty ? "No match workout" : "", nextPageToken: next)
  }
}

/// The search for one page.
private struct Search {
  /// A found workout; its score is 0 if no keyword was searched for.
  typealias Found = (workout: StoredWorkout, score: Double)
  typealias Position = (step: Int64, score: Double, id: WorkoutID)

  /// `nil` for a search by muscle groups alone.
  let query: SearchQuery?
  let viewer: UserID
  let groups: [MuscleGroup]
  let limit: Int64

  func run(after position: Position?, _ database: Database) async throws -> (found: [Found], step: SearchStep) {
    let steps = SearchStep.steps(from: query == nil ? .all : .exact, after: position?.step)
    return try await SearchStep.first(of: steps) { step in
      switch (step, query) {
      case (.wider, _): []
      case (.similar, let query?): try await similar(query, after: position, database)
      case (_, let query?): try await exact(query, after: position, database)
      case (_, nil): try await all(after: position, database)
      }
    }
  }

  private func all(after position: Position?, _ database: Database) async throws -> [Found] {
    try await database.rows(
      WorkoutsOfGroups(
        viewerID: viewer, groups: groups, afterScore: position?.score, afterID: position?.id, limit: limit)
    ).map { ($0.workout, $0.score) }
  }

  private func exact(_ query: SearchQuery, after position: Position?, _ database: Database) async throws -> [Found] {
    try await database.rows(
      WorkoutsWithKeywords(
        query: ExerciseSearch.query(query), viewerID: viewer, groups: groups, afterScore: position?.score,
        afterID: position?.id, limit: limit)
    ).map { ($0.workout, $0.score) }
  }

  private func similar(_ query: SearchQuery, after position: Position?, _ database: Database) async throws -> [Found] {
    try await database.rows(
      SimilarWorkouts(
        keywords: query.keywords.map(\.word), queries: ExerciseSearch.queries(query), viewerID: viewer,
        groups: groups, afterScore: position?.score, afterID: position?.id, limit: limit)
    ).map { ($0.workout, $0.score) }
  }
}
