import Cryptography
import Environment
import FieldViolations
import Idempotency
import Identifiers
import LinkMisses
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Users' sessions for calendar programs, which have a link ([MA-12]).
package struct Calendars: CalendarsService {
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let misses: LinkMissCounter

  /// - Parameter seal: seals the answers kept for repeated requests ([C-4]).
  package init(database: Database, environment: Environment, seal: Seal) {
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

extension Status {
  static let tooManyCalendarLinks = Status(
    MatchingReason.tooManyCalendarLinks, "You have as many links as possible; revoke one")
  /// The link was revoked, or never existed.
  static let noSuchCalendarLink = Status(MatchingReason.calendarLinkNotFound, "The link leads nowhere")
}
