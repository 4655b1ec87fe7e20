import CatalogDomain
import CatalogStore
import FieldViolations
import Pagination
import Postgres
import TTRPC
import TandemCatalog

extension Exercises {
  /// A page of the exercises that match every filter, or of similarly spelt ones if there are none ([CA-10], [C-7]).
  package func searchExercises(
    _ call: SearchExercisesRequest, _ context: CallContext
  ) async throws -> SearchExercisesResponse {
    let user = try context.userID
    var bad = Violations()
    let query = Self.query(call.name, &bad)
    let filter = ExerciseFilter(call, &bad)
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, String.self, ExerciseID.self)
    try bad.check()
    let search = ExercisePageSearch(query: query, filter: filter, limit: page.limit)
    let (found, step) = try await turns.run(for: user) { try await search.run(after: page.after, database) }
    let (shown, next) = try page.cut(found) { (step.rawValue, $0.score, $0.names, $0.exercise.id) }
    return SearchExercisesResponse(
      exercises: shown.map { Exercise($0.exercise) }, match: shown.isEmpty ? .unspecified : step.wire,
      notice: shown.isEmpty ? "No match exercise" : "", nextPageToken: next)
  }

  /// `nil` without a name, and for an invalid one.
  private static func query(_ name: String, _ bad: inout Violations) -> SearchQuery? {
    guard !name.isEmpty else { return nil }
    return bad.query(name, "name")
  }
}

extension Violations {
  /// Parses values of a fixed list from the field of that name: each once.
  mutating func listed<Word: ListedWord>(
    _ texts: [String], _ field: String, _ type: Word.Type, _ description: String, _ reason: CatalogReason
  ) -> [Word] {
    let words = texts.prefix(Word.allCases.count + 1).compactMap { Word(rawValue: $0) }
    if words.count != texts.count { add(field, description, reason) }
    return Array(Set(words))
  }
}

/// The filters of a search, beside the name; every exercise matches an empty list ([CA-10]).
struct ExerciseFilter {
  /// Every exercise.
  static let none = ExerciseFilter(targets: [], equipment: [], levels: [], categories: [])

  /// Muscles and muscle groups.
  let targets: [String]
  let equipment: [Equipment]
  let levels: [ExerciseLevel]
  let categories: [ExerciseCategory]
}

extension ExerciseFilter {
  /// The filters of a request; adds a violation for each unknown value.
  init(_ call: SearchExercisesRequest, _ bad: inout Violations) {
    let known = Set(Muscle.allCases.map(\.rawValue) + MuscleGroup.allCases.map(\.rawValue))
    if call.muscles.count > known.count || !call.muscles.allSatisfy(known.contains) {
      bad.add("muscles", "There is no such muscle or muscle group", CatalogReason.muscleUnknown)
    }
    targets = call.muscles
    equipment = bad.listed(
      call.equipment, "equipment", Equipment.self, "There is no such equipment", CatalogReason.equipmentUnknown)
    levels = bad.listed(call.levels, "levels", ExerciseLevel.self, "There is no such level", CatalogReason.levelUnknown)
    categories = bad.listed(
      call.categories, "categories", ExerciseCategory.self, "There is no such category", CatalogReason.categoryUnknown)
  }
}

/// The search for one page.
struct ExercisePageSearch {
  /// A found exercise, with its position in the list: its score, or its names if no name was searched for.
  typealias Found = (exercise: StoredExercise, score: Double, names: String)
  typealias Position = (step: Int64, score: Double, names: String, id: ExerciseID)

  /// `nil` without a name.
  let query: SearchQuery?
  let filter: ExerciseFilter
  let limit: Int64

  func run(after position: Position?, _ database: Database) async throws -> (found: [Found], step: SearchStep) {
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
