import Postgres
import TandemNotification

/// What users were awarded ([ID-64]); a file for each method.
package struct Badges: BadgesService {
  let database: Database

  /// Handlers over `database`.
  package init(database: Database) { self.database = database }
}
