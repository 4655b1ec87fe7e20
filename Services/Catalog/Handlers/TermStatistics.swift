import CatalogDomain
import CatalogStore
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle
import Synchronization

/// Knows how common words are, by the statistics that the database keeps for itself.
///
/// What is found does not depend on it, only how long it takes.
package final class TermStatistics: Service {
  private let database: Database
  private let logger: Logger
  private let known = Mutex(WordFrequencies.unknown)

  private static let interval: Duration = .seconds(300)

  /// Of the books of `database`; until it runs no word is common.
  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// What is known now.
  var frequencies: WordFrequencies { known.withLock { $0 } }

  /// Looks every five minutes until the service stops.
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
