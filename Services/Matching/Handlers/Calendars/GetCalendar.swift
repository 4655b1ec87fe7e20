import Cryptography
import LinkMisses
import MatchingDomain
import MatchingStore
import TTRPC
import TandemMatching

extension Calendars {
  /// The calendar that a link leads to, for any client that has the link.
  package func getCalendar(_ call: GetCalendarRequest, _ context: CallContext) async throws -> GetCalendarResponse {
    guard let hash = SecretToken(call.token)?.hash,
      let user = try await database.first(UserOfCalendar(tokenHash: hash))
    else {
      try await misses.count(context)
      throw CalendarLinkRefusal.noSuchLink
    }
    let now = environment.clock.now
    let sessions = try await database.rows(CalendarSessions(of: user, at: now))
    return GetCalendarResponse(calendar: CalendarFeed.text(of: sessions.map(\.entry), at: now))
  }
}
