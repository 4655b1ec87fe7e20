import CatalogDomain
import CatalogStore
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle
import Synchronization

/// How common words are, by PostgreSQL's statistics.
///
/// The results of searches do not depend on it, only their duration.
package final class TermStatistics: Service {
  private let database: Database
  private let logger: Logger
  private let known = Mutex(WordFrequencies.unknown)

  private static let interval: Duration = .seconds(300)

  /// Reads the statistics of `database`; until ``run()`` no word counts as common.
  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// The frequencies read last.
  var frequencies: WordFrequencies { known.withLock { $0 } }

  /// Reads the statistics every five minutes until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "term statistics could not be read") { _ in
      try await self.look()
    }
  }

  private func look() async throws {
    let rows = try await database.rows(CommonWords())
    let frequencies = WordFrequencies(books: rows.first?.books ?? 0, shares: rows.map { ($0.word, $0.share) })
    known.withLock { $0 = frequencies }
  }
}
