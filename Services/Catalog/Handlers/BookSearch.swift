import CatalogDomain
import CatalogStore
import Postgres

/// A book found by a search.
package struct FoundBook: Sendable {
  package let book: StoredBook
  /// How well it matches: more is better.
  let score: Double
}

/// A page of a search for books ([CA-25]).
package struct BookSearch: Sendable {
  /// Where books are searched.
  package enum Source: Sendable {
    case database(Database)
    /// In an open transaction.
    case transaction(Transaction)

    fileprivate func rows<S: Statement>(_ statement: S) async throws -> [S.Row] {
      switch self {
      case .database(let database): try await database.rows(statement)
      case .transaction(let transaction): try await transaction.rows(statement)
      }
    }
  }

  private let query: SearchQuery
  private let range: SearchRange
  private let frequencies: WordFrequencies
  private let limit: Int64

  /// - Parameter limit: the most books of a page.
  package init(for query: SearchQuery, range: SearchRange, frequencies: WordFrequencies, limit: Int64) {
    (self.query, self.range, self.frequencies, self.limit) = (query, range, frequencies, limit)
  }

  /// The page after a position, which consists of the raw value of a step, a score and an id; the first page without one.
  package func run(
    after position: (Int64, Double, BookID)?, in source: Source
  ) async throws -> (found: [FoundBook], step: SearchStep) {
    let after = position.map { SearchPosition(score: $0.1, id: $0.2) }
    return try await SearchStep.first(of: SearchStep.steps(from: begin, after: position?.0)) { step in
      switch step {
      case .newest: try await newest(after: after, source)
      case .similar, .wider: try await similar(in: step, after: after, source)
      case .exact, .all: try await ranked(query, after: after, source)
      }
    }
  }

  private var begin: SearchStep {
    switch SearchPlan(for: query, given: frequencies) {
    case .newest: .newest
    case .ranked: .exact
    }
  }

  private func newest(after: SearchPosition?, _ source: Source) async throws -> [FoundBook] {
    try await source.rows(NewestBooksWithKeywords(query, range, after: after, limit: limit))
      .map { FoundBook(book: $0.book, score: $0.score) }
  }

  private func ranked(
    _ query: SearchQuery, after: SearchPosition?, _ source: Source
  ) async throws -> [FoundBook] {
    let (rareWhole, rare) =
      switch SearchPlan(for: query, given: frequencies) {
      case .ranked(let rareWhole, let rare): (rareWhole, rare)
      case .newest: (query.whole, query.query)
      }
    return try await source.rows(
      BooksWithKeywords(query, rareWhole: rareWhole, rare: rare, range, after: after, limit: limit)
    ).map { FoundBook(book: $0.book, score: $0.score) }
  }

  private func similar(
    in step: SearchStep, after: SearchPosition?, _ source: Source
  ) async throws -> [FoundBook] {
    let words = SimilarWords(of: query, try await source.rows(WordsLike(keywords: query.keywords.map(\.word))))
    return try await ranked(query.orLike(words.words(in: step)), after: after, source)
  }
}
