import ImporterStore
import Environment
import LinkMisses
import Postgres
import TandemImporter

extension LinkMissCounter {
  /// That of the links to activities ([CA-15]).
  init(database: Database, clock: any WallClock) {
    self.init(
      database: database, clock: clock, reason: ImporterReason.tooManyAttempts,
      over: ShareMissesOver.init(addressHash:now:most:),
      count: CountShareMiss.init(now:addressHash:windowEndsAt:))
  }
}
