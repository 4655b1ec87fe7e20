import CatalogDomain
import Identifiers
import Postgres

/// The position after which a page begins.
package struct SearchPosition: Sendable {
  let score: Double
  let id: BookID

  /// After the book with this score and id.
  package init(score: Double, id: BookID) {
    self.score = score
    self.id = id
  }
}

/// The viewer and the books of a search.
package struct SearchRange: Sendable {
  let scope: SearchScope
  let viewer: UserID

  package init(_ scope: SearchScope, seenBy viewer: UserID) {
    self.scope = scope
    self.viewer = viewer
  }
}

extension BooksWithKeywords {
  /// - Parameter rare: a `tsquery` for the index that every book of `query` matches.
  package init(_ query: SearchQuery, rare: String, _ range: SearchRange, after: SearchPosition?, limit: Int64) {
    self.init(
      query: query.query, rare: rare, statuses: range.scope.statuses, viewerID: range.viewer, afterScore: after?.score,
      afterID: after?.id, limit: limit)
  }
}

extension NewestBooksWithKeywords {
  package init(_ query: SearchQuery, _ range: SearchRange, before: BookID?, limit: Int64) {
    self.init(
      query: query.query, statuses: range.scope.statuses, viewerID: range.viewer, before: before, limit: limit)
  }
}
