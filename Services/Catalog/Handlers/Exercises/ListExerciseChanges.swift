import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Exercises {
  /// The exercises created, changed and deleted since a token ([C-11]).
  package func listExerciseChanges(
    _ call: ListExerciseChangesRequest, _ context: CallContext
  ) async throws -> ListExerciseChangesResponse {
    var bad = Violations()
    let size = bad.changesSize(call.pageSize)
    let named = bad.changeToken(call.since)
    let since = try bad.all(named)
    let last = try await database.first(LastExerciseChange()) ?? 0
    let epoch = try await since.check(against: last, in: database)
    let found = try await database.rows(ChangedExercises(after: since.change, limit: Int64(size) + 1))
    let shown = found.prefix(size)
    return ListExerciseChangesResponse(
      changes: shown.map { row in
        ExerciseChange(
          exerciseID: row.exercise.id.description, exercise: row.mergedInto == nil ? Exercise(row.exercise) : nil,
          mergedInto: row.mergedInto?.description ?? "")
      },
      nextSince: ChangeToken(change: shown.last?.change ?? since.change, epoch: epoch).text, more: found.count > size)
  }
}
