import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// A found workout; its score is 0 if no keyword was searched for.
  package typealias Found = (workout: StoredWorkout, score: Double)
  package typealias Position = (step: Int64, score: Double, id: WorkoutID)

  /// A page of the curated workouts and a user's own that match keywords and muscle groups ([CA-13]).
  ///
  /// - Parameter query: `nil` for a search by muscle groups alone.
  package func searchWorkouts(
    for query: SearchQuery?, _ groups: [MuscleGroup], seenBy viewer: UserID, after position: Position?, limit: Int64
  ) async throws -> (found: [Found], step: SearchStep) {
    try await WorkoutSearch(query: query, viewer: viewer, groups: groups, limit: limit).run(after: position, database)
  }
}

/// The search for one page.
private struct WorkoutSearch {
  typealias Found = WorkoutOperations.Found
  typealias Position = WorkoutOperations.Position

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
