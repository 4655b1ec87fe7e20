import CatalogDomain
import CatalogOperations
import CatalogStore
import Identifiers
import Postgres

/// Runs judged queries by the code and the SQL of the service's searches, beside ``BM25`` over the same texts.
package struct SearchTrial: Sendable {
  /// The measures of one kind of query.
  package struct Row: Sendable {
    package let kind: JudgedQuery.Kind
    package fileprivate(set) var catalog = SearchMeasure()
    package fileprivate(set) var baseline = SearchMeasure()
  }

  /// A query whose first result is not right.
  package struct Miss: Sendable {
    package let query: JudgedQuery
    /// That of the first right result, from 2; `nil` if none of ten is.
    package let rank: Int?
  }

  /// There is more than the baseline, which holds it all in memory, can be fairly compared over.
  package struct TooMuch: Error {
    /// The most that is compared.
    package let limit: Int64
  }

  /// What is searched.
  struct Document {
    /// See ``SearchSubject``.
    let ids: [String]
    /// The words that the baseline looks at.
    let words: [String]
  }

  /// The most documents that are compared.
  static let maxDocuments: Int64 = 100_000

  /// In the order of the kinds, those that have queries.
  package private(set) var rows: [Row]
  /// Those of the service.
  package private(set) var misses: [Miss] = []
  /// How much there was to find.
  package let documents: Int

  /// - Parameter search: returns the ids of each of the first ten results of the service.
  init(
    _ queries: [JudgedQuery], over documents: [Document], _ search: (String) async throws -> [[String]]
  ) async throws {
    guard documents.count <= Self.maxDocuments else { throw TooMuch(limit: Self.maxDocuments) }
    let baseline = BM25(documents.map(\.words))
    self.documents = documents.count
    rows = JudgedQuery.Kind.allCases.map { Row(kind: $0) }
    for query in queries {
      guard let place = rows.firstIndex(where: { $0.kind == query.kind }) else { continue }
      let rank = rows[place].catalog.count(try await search(query.text), for: query)
      if rank != 1 { misses.append(Miss(query: query, rank: rank)) }
      let best = baseline.best(SearchMeasure.places, for: Words.of(query.text))
      rows[place].baseline.count(best.map { documents[$0].ids }, for: query)
    }
    rows.removeAll { $0.catalog.queries == 0 }
  }
}

extension SearchTrial {
  /// Measures searches for books.
  ///
  /// - Parameters:
  ///   - shelf: the books to search instead of those of the database; they are kept in temporary tables.
  ///   - queries: returns the queries for the books.
  /// - Throws: ``TooMuch``; ``PostgresError``; errors of `queries`.
  package init(
    in transaction: Transaction, shelf: [ShelvedBook]?, now: Instant,
    _ queries: ([JudgedBook]) throws -> [JudgedQuery]
  ) async throws {
    if let shelf { try await Self.fill(shelf, now: now, transaction) }
    let stored = try await transaction.rows(JudgedBooks(limit: Self.maxDocuments + 1))
    let judged = try queries(stored.map { JudgedBook(isbn: $0.isbn, title: $0.title, authors: $0.authors) })
    let common = try await transaction.rows(CommonWords())
    let frequencies = WordFrequencies(books: common.first?.books ?? 0, shares: common.map { ($0.word, $0.share) })
    try await self.init(judged, over: stored.map(Document.init)) { text in
      let search = BookSearch(
        for: try SearchQuery(text), range: SearchRange(.available, seenBy: Self.viewer), frequencies: frequencies,
        limit: Int64(SearchMeasure.places))
      return try await search.run(after: nil, in: .transaction(transaction)).found.map { [$0.book.isbn.description] }
    }
  }

  /// Measures searches for the exercises of a database by their names.
  ///
  /// - Throws: ``PostgresError``.
  package init(exercisesOf database: Database, _ queries: [JudgedQuery]) async throws {
    let stored = try await database.rows(JudgedExercises())
    try await self.init(queries, over: stored.map(Document.init)) { text in
      let search = ExercisePageSearch(
        query: try SearchQuery(text), filter: .none, limit: Int64(SearchMeasure.places))
      return try await search.run(after: nil, database).found.map(\.exercise).map {
        Document.ids($0.sources, $0.sourceIDs)
      }
    }
  }

  /// Measures searches for the gyms of a database.
  ///
  /// - Throws: ``TooMuch``; ``PostgresError``.
  package init(gymsOf database: Database, now: Instant, _ queries: [JudgedQuery]) async throws {
    let stored = try await database.rows(JudgedGyms(limit: Self.maxDocuments + 1))
    let ids = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, [$0.sourceID]) })
    try await self.init(queries, over: stored.map(Document.init)) { text in
      let search = GymSearch(try GymKeywords(text), limit: Int64(SearchMeasure.places), now: now)
      return try await search.run(after: nil, database).found.map { ids[$0.gym.id] ?? [] }
    }
  }

  /// No user has blocked this one.
  private static let viewer = UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000))

  private static func fill(
    _ shelf: [ShelvedBook], now: Instant, _ transaction: Transaction
  ) async throws {
    guard shelf.count <= maxDocuments else { throw TooMuch(limit: maxDocuments) }
    try await transaction.execute(CreateShelf())
    try await transaction.execute(CreateShelfWords())
    for start in stride(from: 0, to: shelf.count, by: 1_000) {
      let places = start..<min(start + 1_000, shelf.count)
      let books = places.map { place in
        let id = BookID(UUID7(high: 0x0191_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(place)))
        return InsertBook(
          bookID: id, ownerID: viewer, isbn: shelf[place].isbn, fields: shelf[place].fields,
          recordedAs: shelf[place].titles, change: Int64(place) + 1, now: now)
      }
      try await transaction.rows(each: books)
    }
    try await transaction.execute(AnalyzeShelf())
  }
}

extension SearchTrial.Document {
  fileprivate init(_ book: JudgedBooks.Row) {
    let numbers = [book.isbn.description, book.isbn.isbn10?.lowercased()].compactMap { $0 }
    ids = [book.isbn.description]
    words = ([book.title] + book.otherTitleKeys + book.authors).flatMap(Words.of) + numbers
  }

  fileprivate init(_ exercise: JudgedExercises.Row) {
    ids = Self.ids(exercise.sources, exercise.sourceIDs)
    words = ([exercise.name] + exercise.aliases).flatMap(Words.of)
  }

  fileprivate init(_ gym: JudgedGyms.Row) {
    ids = [gym.sourceID]
    words = [gym.name, gym.street, gym.houseNumber, gym.postcode, gym.city].flatMap(Words.of)
  }

  fileprivate static func ids(_ sources: [String], _ sourceIDs: [String]) -> [String] {
    zip(sources, sourceIDs).map { "\($0):\($1)" }
  }
}
