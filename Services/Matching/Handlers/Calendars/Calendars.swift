import Cryptography
import Environment
import Idempotency
import Identifiers
import LinkMisses
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Users' sessions for calendar programs, which have a link ([MA-12]).
package struct Calendars: CalendarsService {
  let operations: SessionOperations
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let misses: LinkMissCounter

  /// - Parameter seal: seals the answers kept for repeated requests ([C-4]).
  package init(operations: SessionOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    self.environment = environment
    misses = LinkMissCounter(database: database, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}

extension CalendarLink {
  init(_ stored: StoredCalendarLink) {
    self.init(linkID: stored.id.description, createTime: stored.createdAt.timestamp)
  }
}
