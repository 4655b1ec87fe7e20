import MatchingStore
import Environment
import LinkMisses
import Postgres
import TandemMatching

extension LinkMissCounter {
  /// That of the links to posted sessions and calendars ([CA-15], [MA-20]).
  init(database: Database, clock: any WallClock) {
    self.init(
      database: database, clock: clock, reason: MatchingReason.tooManyAttempts,
      over: CalendarMissesOver.init(addressHash:now:most:),
      count: CountCalendarMiss.init(now:addressHash:windowEndsAt:))
  }
}
