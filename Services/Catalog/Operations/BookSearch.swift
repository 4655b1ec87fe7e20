import CatalogDomain
import CatalogStore
import Postgres

/// A book found by a search.
package struct FoundBook: Sendable {
  package let book: StoredBook
  /// How well it matches: more is better.
  package let score: Double
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
    if let step = position.flatMap({ SearchStep(rawValue: $0.0) }) {
      return (try await books(in: step, after: after, source), step)
    }
    let first = begin
    // Whether there are few does not depend on the size of the page.
    let search = BookSearch(
      for: query, range: range, frequencies: frequencies, limit: max(limit, Int64(Self.fewBooks)))
    let exact = try await search.books(in: first, after: nil, source)
    if first == .newest && !exact.isEmpty || !mayBeMistyped(exact) { return (exact, first) }
    return try await corrected(exact, source) ?? (exact, first)
  }

  /// With so many books the keywords are what the user meant.
  private static let fewBooks = 5
  /// The score from which on the keywords are a title, an author, or how a title begins; see ``BooksWithKeywords``.
  private static let clearScore = 3.0

  /// Whether the keywords may be misspelt: they find little, and no book is called so. One misspelt record, or words of different fields, must
  /// not stand in the way of what was meant.
  private func mayBeMistyped(_ found: [FoundBook]) -> Bool {
    // A number is found or is not.
    let hasLetters = query.keywords.contains { $0.word.contains(where: \.isLetter) }
    return found.count < Self.fewBooks && (found.first?.score ?? 0) < Self.clearScore && (hasLetters || found.isEmpty)
  }

  /// The books of the first correction that is clearly better than what the keywords find; where these find nothing, of the first that finds
  /// any.
  private func corrected(
    _ exact: [FoundBook], _ source: Source
  ) async throws -> (found: [FoundBook], step: SearchStep)? {
    var fallback: (found: [FoundBook], step: SearchStep)?
    for step in SearchStep.corrections where exact.isEmpty || step != .most {
      let found = try await books(in: step, after: nil, source)
      guard let best = found.first else { continue }
      if best.score >= Self.clearScore { return (found, step) }
      if exact.isEmpty, fallback == nil { fallback = (found, step) }
    }
    return fallback
  }

  private func books(in step: SearchStep, after: SearchPosition?, _ source: Source) async throws -> [FoundBook] {
    switch step {
    case .newest: return try await newest(after: after, source)
    case .similar, .wider: return try await similar(in: step, after: after, source)
    case .exact, .all: return try await ranked(query, after: after, source)
    case .respelt, .most:
      guard let texts = query.alternatives(in: step) else { return [] }
      return try await source.rows(BooksWithKeywords(any: texts, range, after: after, limit: limit))
        .map { FoundBook(book: $0.book, score: $0.score) }
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
