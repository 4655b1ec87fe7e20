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
    var bad = Violations()
    let query = Self.query(call.name, &bad)
    let filter = ExerciseFilter(call, &bad)
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, String.self, ExerciseID.self)
    try bad.check()
    let search = Search(query, filter, limit: page.limit)
    let (found, step) = try await search.run(after: page.after, database)
    // Names are part of the position only if no name was searched for.
    let (shown, next) = try page.cut(found) { (step.rawValue, $0.score, query == nil ? $0.names : "", $0.exercise.id) }
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
    _ texts: [String], _ field: String, _ type: Word.Type, _ description: String, _ reason: String
  ) -> [Word] {
    let words = texts.prefix(Word.allCases.count + 1).compactMap { Word(rawValue: $0) }
    if words.count != texts.count { add(field, description, reason) }
    return Array(Set(words))
  }
}

extension ExerciseFilter {
  /// The filters of a request; adds a violation for each unknown value.
  fileprivate init(_ call: SearchExercisesRequest, _ bad: inout Violations) {
    let known = Set(Muscle.allCases.map(\.rawValue) + MuscleGroup.allCases.map(\.rawValue))
    if call.muscles.count > known.count || !call.muscles.allSatisfy(known.contains) {
      bad.add("muscles", "There is no such muscle or muscle group", "MUSCLE_UNKNOWN")
    }
    self.init(
      targets: call.muscles,
      equipment: bad.listed(
        call.equipment, "equipment", Equipment.self, "There is no such equipment", "EQUIPMENT_UNKNOWN"),
      levels: bad.listed(call.levels, "levels", ExerciseLevel.self, "There is no such level", "LEVEL_UNKNOWN"),
      categories: bad.listed(
        call.categories, "categories", ExerciseCategory.self, "There is no such category", "CATEGORY_UNKNOWN"))
  }
}

/// The search for one page, in two steps; the second runs only if the first finds nothing.
private struct Search {
  let query: SearchQuery?
  let filter: ExerciseFilter
  let limit: Int64

  init(_ query: SearchQuery?, _ filter: ExerciseFilter, limit: Int64) {
    self.query = query
    self.filter = filter
    self.limit = limit
  }

  func run(
    after position: (Int64, Double, String, ExerciseID)?, _ database: Database
  ) async throws -> (found: [FoundExercise], step: SearchStep) {
    guard let query else {
      let after = position.map { ($0.2, $0.3) }
      return (try await database.rows(ExercisesByName(filter, after: after, limit: limit)), .all)
    }
    let after = position.map { ($0.1, $0.3) }
    if position == nil || position?.0 == SearchStep.exact.rawValue {
      let found = try await database.rows(ExercisesWithWords(query, filter, after: after, limit: limit))
      if !found.isEmpty || position != nil { return (found, .exact) }
    }
    return (try await database.rows(SimilarExercises(query, filter, after: after, limit: limit)), .similar)
  }
}
