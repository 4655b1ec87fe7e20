import CatalogStore
import Environment
import LinkMisses
import Postgres
import TandemCatalog

extension LinkMissCounter {
  /// That of the links to books and workouts ([CA-15]).
  init(database: Database, clock: any WallClock) {
    self.init(
      database: database, clock: clock, reason: CatalogReason.tooManyAttempts,
      over: ShareMissesOver.init(addressHash:now:most:),
      count: CountShareMiss.init(now:addressHash:windowEndsAt:))
  }
}
