import Postgres
import TandemNotification

/// The badges of users ([ID-64]); one file for each method.
package struct Badges: BadgesService {
  let database: Database

  package init(database: Database) { self.database = database }
}
