import Ambient
import Cryptography
import Events
import Idempotency
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemIdentity

/// Keeping people away, and telling operators about them; a file for each method.
package struct Safety: SafetyService {
  let database: Database
  let ambient: Ambient
  let events: Outbox
  let pages: Pages
  let replays: Replays
  let throttles: Throttles

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for page tokens and for the answers that are kept to be repeated ([C-4], [C-5]).
  package init(database: Database, ambient: Ambient, seal: Seal, events: Outbox) {
    self.database = database
    self.ambient = ambient
    self.events = events
    pages = Pages(seal: seal, clock: ambient.clock)
    replays = Replays(database: database, seal: seal, clock: ambient.clock)
    throttles = Throttles(database: database, clock: ambient.clock)
  }
}
