import Cryptography
import Environment
import Idempotency
import IdentityOperations
import Pagination
import Postgres
import TTRPC
import TandemIdentity

/// Blocking and reporting of users; one file for each method.
package struct Safety: SafetyService {
  let database: Database
  let operations: SafetyOperations
  let pages: Pages
  let idempotency: IdempotencyStore

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(database: Database, environment: Environment, seal: Seal, operations: SafetyOperations) {
    self.database = database
    self.operations = operations
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}
