import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

/// Runs judged queries by the code and the SQL of ``Books/searchBooks(_:_:)``, beside ``BM25`` over the same books.
package struct SearchTrial: Sendable {
  /// The measures of one kind of query.
  package struct Row: Sendable {
    package let kind: JudgedQuery.Kind
    package fileprivate(set) var catalog = SearchMeasure()
    package fileprivate(set) var baseline = SearchMeasure()
  }

  /// The most books that are compared: the baseline holds them in memory.
  private static let maxBooks: Int64 = 100_000

  /// In the order of the kinds, those that have queries.
  package private(set) var rows: [Row]
  /// The number of books.
  package let books: Int

  /// Measures searches.
  ///
  /// - Parameters:
  ///   - shelf: the books to search instead of those of the database; they are kept in temporary tables.
  ///   - queries: returns the queries for the books.
  package init(
    in transaction: Transaction, shelf: [(isbn: ISBN, fields: BookFields)]?, now: Instant,
    _ queries: ([JudgedBook]) throws -> [JudgedQuery]
  ) async throws {
    if let shelf { try await Self.fill(shelf, now: now, transaction) }
    let stored = try await transaction.rows(JudgedBooks(limit: Self.maxBooks))
    let judged = try queries(stored.map { JudgedBook(isbn: $0.isbn, title: $0.title, authors: $0.authors) })
    let common = try await transaction.rows(CommonWords())
    let frequencies = WordFrequencies(books: common.first?.books ?? 0, shares: common.map { ($0.word, $0.share) })
    let baseline = BM25(stored.map(Self.words(of:)))
    books = stored.count
    rows = JudgedQuery.Kind.allCases.map { Row(kind: $0) }
    for query in judged {
      guard let place = rows.firstIndex(where: { $0.kind == query.kind }) else { continue }
      let search = BookSearch(
        for: try SearchQuery(query.text), range: SearchRange(.available, seenBy: Self.viewer), frequencies: frequencies,
        limit: Int64(SearchMeasure.places))
      let found = try await search.run(after: nil, in: .transaction(transaction)).found
      rows[place].catalog.count(found.map(\.book.isbn), for: query)
      let best = baseline.best(SearchMeasure.places, for: Words.of(query.text))
      rows[place].baseline.count(best.map { stored[$0].isbn }, for: query)
    }
    rows.removeAll { $0.catalog.queries == 0 }
  }

  /// Nobody has blocked this user.
  private static let viewer = UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000))

  /// The words that the baseline looks at.
  private static func words(of book: JudgedBooks.Row) -> [String] {
    let numbers = [book.isbn.description, book.isbn.isbn10?.lowercased()].compactMap { $0 }
    return Words.of(book.title) + book.authors.flatMap(Words.of) + numbers
  }

  private static func fill(
    _ shelf: [(isbn: ISBN, fields: BookFields)], now: Instant, _ transaction: Transaction
  ) async throws {
    try await transaction.execute(CreateShelf())
    try await transaction.execute(CreateShelfWords())
    for (place, copy) in shelf.enumerated() {
      let id = BookID(UUID7(high: 0x0191_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(place)))
      try await transaction.execute(
        InsertBook(
          bookID: id, ownerID: viewer, isbn: copy.isbn, fields: copy.fields, change: Int64(place) + 1, now: now))
    }
    try await transaction.execute(AnalyzeShelf())
  }
}

/// A table of books that hides the catalog's own until the transaction ends.
private struct CreateShelf: Statement {
  typealias Row = Void
  static let sql = "create temporary table books (like books including all) on commit drop"
}

/// The words of these books' titles and authors.
private struct CreateShelfWords: Statement {
  typealias Row = Void
  static let sql = "create temporary table name_words (like name_words including all) on commit drop"
}

/// Tells the planner how many there are.
private struct AnalyzeShelf: Statement {
  typealias Row = Void
  static let sql = "analyze books, name_words"
}
