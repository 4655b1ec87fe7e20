import CatalogDomain
import TTRPC
import TandemCatalog

extension Exercises {
  /// The values of the filters for exercises.
  package func listExerciseOptions(
    _ call: ListExerciseOptionsRequest, _ context: CallContext
  ) async throws -> ListExerciseOptionsResponse {
    ListExerciseOptionsResponse(
      muscleGroups: MuscleGroup.allCases.map { group in
        MuscleGroupOption(
          id: group.rawValue, label: group.label, muscles: group.muscles.map { ExerciseOption($0) })
      },
      equipment: Equipment.allCases.map { ExerciseOption($0) },
      levels: ExerciseLevel.allCases.map { ExerciseOption($0) },
      categories: ExerciseCategory.allCases.map { ExerciseOption($0) })
  }
}
