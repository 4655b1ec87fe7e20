import CatalogDomain
import CatalogStore
import Postgres

extension BookOperations {
  /// A page of the books in which every keyword occurs, or of similar ones if there are none ([CA-25]).
  ///
  /// - Parameters:
  ///   - position: where the page begins, as of ``BookSearch/run(after:in:)``.
  ///   - limit: the most books of a page.
  package func searchBooks(
    for query: SearchQuery, _ range: SearchRange, after position: (Int64, Double, BookID)?, limit: Int64
  ) async throws -> (found: [FoundBook], step: SearchStep) {
    let search = BookSearch(for: query, range: range, frequencies: termStatistics.frequencies, limit: limit)
    return try await search.run(after: position, in: .database(database))
  }
}
