import CatalogDomain
import CatalogStore
import FieldViolations
import Pagination
import Postgres
import TTRPC
import TandemCatalog

extension Books {
  /// A page of the books in which every keyword occurs, or of similar ones if there are none ([CA-25], [C-7]).
  package func searchBooks(_ call: SearchBooksRequest, _ context: CallContext) async throws -> SearchBooksResponse {
    let viewer = try context.userID
    var bad = Violations()
    let query = bad.query(call.query, "query")
    let among = CatalogDomain.SearchScope(call.scope)
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, BookID.self)
    let wanted = try bad.all(query)
    let search = Search(
      query: wanted, range: SearchRange(among, seenBy: viewer), frequencies: termStatistics.frequencies,
      limit: page.limit)
    let (found, step) = try await search.run(after: page.after, database)
    let (shown, next) = try page.cut(found) { (step.rawValue, $0.score, $0.book.id) }
    return SearchBooksResponse(
      books: shown.map { Book($0.book, seenBy: viewer) }, match: shown.isEmpty ? .unspecified : step.wire,
      notice: shown.isEmpty ? among.emptyNotice : "", nextPageToken: next)
  }
}

/// A book found by a search.
private struct FoundBook {
  let book: StoredBook
  /// How well it matches: more is better.
  let score: Double

  init(_ row: BooksWithKeywords.Row) { (book, score) = (row.book, row.score) }

  /// One of the newest, which are not ranked.
  init(newest book: StoredBook) { (self.book, score) = (book, 0) }
}

/// The search for one page.
private struct Search {
  let query: SearchQuery
  let range: SearchRange
  let frequencies: WordFrequencies
  let limit: Int64

  func run(
    after position: (Int64, Double, BookID)?, _ database: Database
  ) async throws -> (found: [FoundBook], step: SearchStep) {
    let after = position.map { SearchPosition(score: $0.1, id: $0.2) }
    return try await SearchStep.first(of: SearchStep.steps(from: begin, after: position?.0)) { step in
      switch step {
      case .newest: try await newest(before: position?.2, database)
      case .similar: try await similar(after: after, database)
      case .exact, .all: try await ranked(query, after: after, database)
      }
    }
  }

  private var begin: SearchStep {
    switch SearchPlan(for: query, given: frequencies) {
    case .newest: .newest
    case .ranked: .exact
    }
  }

  private func newest(before: BookID?, _ database: Database) async throws -> [FoundBook] {
    try await database.rows(NewestBooksWithKeywords(query, range, before: before, limit: limit))
      .map { FoundBook(newest: $0) }
  }

  private func ranked(
    _ query: SearchQuery, after: SearchPosition?, _ database: Database
  ) async throws -> [FoundBook] {
    let rare =
      switch SearchPlan(for: query, given: frequencies) {
      case .ranked(let rare): rare
      case .newest: query.query
      }
    return try await database.rows(BooksWithKeywords(query, rare: rare, range, after: after, limit: limit))
      .map { FoundBook($0) }
  }

  private func similar(after: SearchPosition?, _ database: Database) async throws -> [FoundBook] {
    var words = query.keywords.map { _ in [String]() }
    let like = WordsLike(keywords: query.keywords.map(\.word))
    for found in try await database.rows(like) { words[Int(found.place)].append(found.word) }
    return try await ranked(query.orLike(words), after: after, database)
  }
}

extension CatalogDomain.SearchScope {
  fileprivate init(_ wire: TandemCatalog.SearchScope) { self = wire == .unavailable ? .unavailable : .available }
}
