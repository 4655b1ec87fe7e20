import CatalogOperations
import CatalogStore
import Cryptography
import Environment
import FieldViolations
import Pagination
import Postgres
import TTRPC
import TandemCatalog

/// The exercises of the loaded collections; each method is in its own file.
package struct Exercises: ExercisesService {
  let operations: ExerciseOperations
  let database: Database
  let pages: Pages
  let turns: SearchTurns

  /// - Parameter seal: seals page tokens ([C-5]).
  package init(
    operations: ExerciseOperations, database: Database, environment: Environment, seal: Seal, turns: SearchTurns
  ) {
    self.operations = operations
    self.turns = turns
    self.database = database
    pages = Pages(seal: seal, clock: environment.clock)
  }
}

extension Violations {
  /// Parses the id of an exercise from the field of that name.
  mutating func exerciseID(_ text: String, _ field: String = "exercise_id") -> ExerciseID? {
    require(field, ExerciseID(text), "This is not the id of an exercise", CatalogReason.exerciseIDInvalid)
  }

  /// The number of changes in an answer; adds a violation for an invalid `page_size`.
  mutating func changesSize(_ pageSize: Int32) -> Int {
    if pageSize < 0 { add("page_size", "The page_size cannot be negative", CatalogReason.pageSizeInvalid) }
    return pageSize <= 0 ? Pages.defaultSize : min(Int(pageSize), Pages.largestSize)
  }

  /// Parses a position in a list of changes from the field `since`.
  mutating func changeToken(_ text: String) -> ChangeToken? {
    require(
      "since", ChangeToken(text), "This is no token of this method; begin without one", CatalogReason.changeTokenInvalid
    )
  }
}
