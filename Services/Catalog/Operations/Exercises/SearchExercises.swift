import CatalogDomain
import CatalogStore
import Postgres

extension ExerciseOperations {
  /// A found exercise, with its position in the list: its score, or its names if no name was searched for.
  package typealias Found = (exercise: StoredExercise, score: Double, names: String)
  package typealias Position = (step: Int64, score: Double, names: String, id: ExerciseID)

  /// A page of the exercises that match every filter, or of similarly spelt ones if there are none ([CA-10]).
  ///
  /// - Parameter query: `nil` without a name.
  package func searchExercises(
    for query: SearchQuery?, _ filter: ExerciseFilter, after position: Position?, limit: Int64
  ) async throws -> (found: [Found], step: SearchStep) {
    try await ExercisePageSearch(query: query, filter: filter, limit: limit).run(after: position, database)
  }
}

/// The filters of a search, beside the name; every exercise matches an empty list ([CA-10]).
package struct ExerciseFilter: Sendable {
  /// Every exercise.
  package static let none = ExerciseFilter(targets: [], equipment: [], levels: [], categories: [])

  /// Muscles and muscle groups.
  let targets: [String]
  let equipment: [Equipment]
  let levels: [ExerciseLevel]
  let categories: [ExerciseCategory]

  package init(
    targets: [String], equipment: [Equipment], levels: [ExerciseLevel], categories: [ExerciseCategory]
  ) {
    self.targets = targets
    self.equipment = equipment
    self.levels = levels
    self.categories = categories
  }
}

/// The search for one page.
package struct ExercisePageSearch {
  package typealias Found = ExerciseOperations.Found
  package typealias Position = ExerciseOperations.Position

  /// `nil` without a name.
  let query: SearchQuery?
  let filter: ExerciseFilter
  let limit: Int64

  package init(query: SearchQuery?, filter: ExerciseFilter, limit: Int64) {
    (self.query, self.filter, self.limit) = (query, filter, limit)
  }

  package func run(after position: Position?, _ database: Database) async throws -> (found: [Found], step: SearchStep) {
    let steps = SearchStep.steps(from: query == nil ? .all : .exact, after: position?.step)
    let (found, step) = try await SearchStep.first(of: steps) { step in
      try await exercises(in: step, after: position, database)
    }
    guard position == nil, step == .exact, Self.mayBeMistyped(found), found.count < limit else { return (found, step) }
    let similar = try await exercises(in: .similar, after: nil, database)
    return similar.count >= min(Self.timesAsMany * found.count, Int(limit)) ? (similar, .similar) : (found, step)
  }

  /// With so many exercises the keywords are what the user meant.
  private static let fewExercises = 5
  /// A word that finds so many times more exercises than the one that was typed is what was meant: some records are misspelt.
  private static let timesAsMany = 5
  /// The score from which on an exercise has exactly that name, but for a tool; see ``ExercisesWithWords``.
  private static let nameScore = 2.0

  private static func mayBeMistyped(_ found: [Found]) -> Bool {
    found.count < fewExercises && (found.first?.score ?? 0) < nameScore
  }

  private func exercises(in step: SearchStep, after position: Position?, _ database: Database) async throws -> [Found] {
    switch (step, query) {
    case (.similar, let query?), (.wider, let query?): try await similar(query, step, after: position, database)
    case (_, let query?): try await exact(query, after: position, database)
    case (_, nil): try await all(after: position, database)
    }
  }

  private func all(after position: Position?, _ database: Database) async throws -> [Found] {
    try await database.rows(
      ExercisesByName(
        targets: filter.targets, equipment: filter.equipment, levels: filter.levels, categories: filter.categories,
        afterNames: position?.names, afterID: position?.id, limit: limit)
    ).map { ($0.exercise, 0, $0.names) }
  }

  private func exact(_ query: SearchQuery, after position: Position?, _ database: Database) async throws -> [Found] {
    try await database.rows(
      ExercisesWithWords(
        keys: ExerciseSearch.keys(query), keysWithTool: ExerciseSearch.keysWithTool(query),
        whole: ExerciseSearch.whole(query), query: ExerciseSearch.query(query),
        targets: filter.targets, equipment: filter.equipment, levels: filter.levels, categories: filter.categories,
        afterScore: position?.score, afterID: position?.id, limit: limit)
    ).map { ($0.exercise, $0.score, "") }
  }

  private func similar(
    _ query: SearchQuery, _ step: SearchStep, after position: Position?, _ database: Database
  ) async throws -> [Found] {
    let like = ExerciseWordsLike(keywords: query.keywords.map(\.word))
    let words = SimilarWords(of: query, try await database.rows(like))
    return try await exact(query.orLike(words.words(in: step)), after: position, database)
  }
}
