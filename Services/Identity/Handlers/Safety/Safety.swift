import Environment
import Cryptography
import Events
import Idempotency
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemIdentity

/// Blocking and reporting of users; one file for each method.
package struct Safety: SafetyService {
  let database: Database
  let environment: Environment
  let events: Outbox
  let blocks: UserBlocks
  let pages: Pages
  let idempotency: IdempotencyStore
  let throttles: Throttles

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(database: Database, environment: Environment, seal: Seal, events: Outbox) {
    self.database = database
    self.environment = environment
    self.events = events
    blocks = UserBlocks(events: events, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    throttles = Throttles(database: database, clock: environment.clock)
  }
}
