import CatalogDomain
import CatalogStore
import Postgres
import Synchronization

/// How common words are, by PostgreSQL's statistics.
///
/// The results of searches do not depend on it, only their duration.
package final class TermStatistics: Sendable {
  private let database: Database
  private let known = Mutex(WordFrequencies.unknown)

  /// Reads the statistics of `database`; until ``refresh()`` no word counts as common.
  package init(database: Database) { self.database = database }

  /// The frequencies read last.
  var frequencies: WordFrequencies { known.withLock { $0 } }

  /// Reads the statistics.
  package func refresh() async throws {
    let rows = try await database.rows(CommonWords())
    let frequencies = WordFrequencies(books: rows.first?.books ?? 0, shares: rows.map { ($0.word, $0.share) })
    known.withLock { $0 = frequencies }
  }
}
