import CatalogDomain
import CatalogStore
import FieldViolations
import Pagination
import Postgres
import TTRPC
import TandemCatalog

extension SearchBooksRequest: PagedRequest {}

extension Books {
  /// A page of the books in which every keyword occurs, or of similar ones when there are none ([CA-25], [C-7]).
  package func searchBooks(_ call: SearchBooksRequest, _ context: CallContext) async throws -> SearchBooksResponse {
    let viewer = try context.personID
    var bad = Violations()
    let query = Self.query(call.query, &bad)
    let scope = bad.require("scope", CatalogDomain.SearchScope(call.scope), "There is no such scope", "SCOPE_UNKNOWN")
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, BookID.self)
    let search = Search(try bad.all(query), in: try bad.all(scope), limit: page.limit)
    let (found, step) = try await search.run(after: page.after, database)
    let (shown, next) = try page.cut(found) { (step.rawValue, $0.score, $0.book.id) }
    return SearchBooksResponse(
      books: shown.map { Book($0.book, seenBy: viewer) }, match: shown.isEmpty ? .unspecified : step.wire,
      notice: shown.isEmpty ? search.scope.emptyNotice : "", nextPageToken: next)
  }

  private static func query(_ text: String, _ bad: inout Violations) -> SearchQuery? {
    do throws(SearchQuery.Refusal) { return try SearchQuery(text) } catch {
      switch error {
      case .empty: bad.add("query", "You must enter something", "QUERY_REQUIRED")
      case .tooLong:
        bad.add(
          "query", "At most \(SearchQuery.longestText) characters and \(SearchQuery.mostKeywords) keywords",
          "QUERY_TOO_LONG")
      }
      return nil
    }
  }
}

/// A search for a page, in two steps of which the second is taken when the first finds nothing.
private struct Search {
  /// The raw value stays in page tokens: the pages of a search are all of one step.
  enum Step: Int64 {
    case exact = 1
    case similar = 2

    var wire: SearchMatch {
      switch self {
      case .exact: .exact
      case .similar: .similar
      }
    }
  }

  let query: SearchQuery
  let scope: CatalogDomain.SearchScope
  let limit: Int64

  init(_ query: SearchQuery, in scope: CatalogDomain.SearchScope, limit: Int64) {
    self.query = query
    self.scope = scope
    self.limit = limit
  }

  func run(
    after position: (Int64, Double, BookID)?, _ database: Database
  ) async throws -> (found: [FoundBook], step: Step) {
    let after = position.map { SearchPosition(score: $0.1, id: $0.2) }
    if position == nil || position?.0 == Step.exact.rawValue {
      let found = try await database.rows(BooksWithKeywords(query, in: scope, after: after, limit: limit))
      if !found.isEmpty || position != nil { return (found, .exact) }
    }
    return (try await database.rows(SimilarBooks(query, in: scope, after: after, limit: limit)), .similar)
  }
}

extension CatalogDomain.SearchScope {
  fileprivate init?(_ wire: TandemCatalog.SearchScope) {
    switch wire {
    case .unspecified, .available: self = .available
    case .unavailable: self = .unavailable
    case .unrecognized: return nil
    }
  }
}
