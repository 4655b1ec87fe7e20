import ClientAddresses
import Cryptography
import Environment
import FieldViolations
import Idempotency
import Identifiers
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

  /// - Parameter seal: seals the answers kept for repeated requests ([C-4]).
  package init(database: Database, environment: Environment, seal: Seal) {
    self.database = database
    self.environment = environment
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// Refuses a further unknown link of an address that tried too many.
  func checkMisses(_ context: CallContext) async throws {
    let now = environment.clock.now
    let over = CalendarMissesOver(addressHash: Self.hash(ofAddress: context), now: now)
    guard let end = try await database.first(over) else { return }
    throw Status(
      MatchingReason.tooManyAttempts, "Too many links that lead nowhere were tried from here", retryAfter: end - now)
  }

  /// Counts an unknown link for the caller's address.
  func countMiss(_ context: CallContext) async throws {
    try await database.write(
      CountCalendarMiss(addressHash: Self.hash(ofAddress: context), now: environment.clock.now))
  }

  private static func hash(ofAddress context: CallContext) -> [UInt8] {
    Digest.sha256("address:\(context.clientNetwork)".utf8)
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
