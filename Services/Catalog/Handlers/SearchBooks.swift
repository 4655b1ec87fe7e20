import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Pagination
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
    let (found, step) = try await turns.run(for: viewer) {
      try await operations.searchBooks(
        for: wanted, SearchRange(among, seenBy: viewer), after: page.after, limit: page.limit)
    }
    let (shown, next) = try page.cut(found) { (step.rawValue, $0.score, $0.book.id) }
    return SearchBooksResponse(
      books: shown.map { Book($0.book, seenBy: viewer) }, match: shown.isEmpty ? .unspecified : step.wire,
      notice: shown.isEmpty ? among.emptyNotice : "", nextPageToken: next)
  }
}

extension CatalogDomain.SearchScope {
  fileprivate init(_ wire: TandemCatalog.SearchScope) { self = wire == .unavailable ? .unavailable : .available }
}
