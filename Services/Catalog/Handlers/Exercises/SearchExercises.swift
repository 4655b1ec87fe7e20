import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Pagination
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
    let (found, step) = try await turns.run(for: user) {
      try await operations.searchExercises(for: query, filter, after: page.after, limit: page.limit)
    }
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

extension ExerciseFilter {
  /// The filters of a request; adds a violation for each unknown value.
  init(_ call: SearchExercisesRequest, _ bad: inout Violations) {
    let known = Set(Muscle.allCases.map(\.rawValue) + MuscleGroup.allCases.map(\.rawValue))
    if call.muscles.count > known.count || !call.muscles.allSatisfy(known.contains) {
      bad.add("muscles", "There is no such muscle or muscle group", CatalogReason.muscleUnknown)
    }
    self.init(
      targets: call.muscles,
      equipment: bad.listed(
        call.equipment, "equipment", Equipment.self, "There is no such equipment", CatalogReason.equipmentUnknown),
      levels: bad.listed(
        call.levels, "levels", ExerciseLevel.self, "There is no such level", CatalogReason.levelUnknown),
      categories: bad.listed(
        call.categories, "categories", ExerciseCategory.self, "There is no such category",
        CatalogReason.categoryUnknown))
  }
}
