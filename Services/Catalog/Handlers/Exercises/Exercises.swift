import CatalogStore
import Cryptography
import Environment
import FieldViolations
import Pagination
import Postgres
import TTRPC
import TandemCatalog

/// Exercises that collections describe; a file for each method.
package struct Exercises: ExercisesService {
  let database: Database
  let pages: Pages

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for page tokens ([C-5]).
  package init(database: Database, environment: Environment, seal: Seal) {
    self.database = database
    pages = Pages(seal: seal, clock: environment.clock)
  }
}

extension Violations {
  /// The id of an exercise, in the field of that name.
  mutating func exerciseID(_ text: String, _ field: String = "exercise_id") -> ExerciseID? {
    require(field, ExerciseID(text), "This is not the id of an exercise", "EXERCISE_ID_INVALID")
  }

  /// How many changes to answer with; a bad `page_size` is noted.
  mutating func changesSize(_ pageSize: Int32) -> Int {
    if pageSize < 0 { add("page_size", "The page_size cannot be negative", "PAGE_SIZE_INVALID") }
    return pageSize <= 0 ? Pages.defaultSize : min(Int(pageSize), Pages.largestSize)
  }

  /// A place in a list of changes, in the field `since`.
  mutating func changeToken(_ text: String) -> ChangeToken? {
    require("since", ChangeToken(text), "This is no token of this method; begin without one", "CHANGE_TOKEN_INVALID")
  }
}

extension ChangeToken {
  /// Throws where the token is beyond everything that happened: it is somebody else's, for instance, and changes would be missed with it.
  func check(against last: Int64) throws(BadFields) {
    guard change <= last else {
      throw BadFields("since", "This is no token of yours; begin without one", "CHANGE_TOKEN_INVALID")
    }
  }
}
