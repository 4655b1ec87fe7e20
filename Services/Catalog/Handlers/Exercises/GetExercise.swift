import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Exercises {
  /// One exercise; for an id that was merged into another exercise, that one ([CA-10]).
  package func getExercise(_ call: GetExerciseRequest, _ context: CallContext) async throws -> Exercise {
    var bad = Violations()
    let named = bad.exerciseID(call.exerciseID)
    let id = try bad.all(named)
    guard let stored = try await database.first(ExerciseByID(exerciseID: id)) else { throw Status.noSuchExercise }
    return Exercise(stored)
  }
}
