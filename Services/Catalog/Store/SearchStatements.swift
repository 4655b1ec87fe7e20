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
  /// - Parameters:
  ///   - rareWhole: a `tsquery` for the index that every book with the keywords as words matches.
  ///   - rare: a `tsquery` for the index that every book of `query` matches.
  package init(
    _ query: SearchQuery, rareWhole: String, rare: String, _ range: SearchRange, after: SearchPosition?, limit: Int64
  ) {
    self.init(
      titleKeys: query.titleKeys, authorPhrase: query.authorPhrase, surnames: query.surnames,
      titlePhrase: query.titlePhrase, whole: query.whole,
      query: query.query, statuses: range.scope.statuses, viewerID: range.viewer, rareWhole: rareWhole, rare: rare,
      afterScore: after?.score, afterID: after?.id, limit: limit)
  }
}

extension BooksWithKeywords {
  /// A search by any of several texts.
  package init(any texts: SearchAlternatives, _ range: SearchRange, after: SearchPosition?, limit: Int64) {
    self.init(
      titleKeys: texts.titleKeys, authorPhrase: texts.authorPhrase, surnames: [], titlePhrase: texts.titlePhrase,
      whole: texts.whole, query: texts.query, statuses: range.scope.statuses, viewerID: range.viewer,
      rareWhole: texts.whole, rare: texts.query, afterScore: after?.score, afterID: after?.id, limit: limit)
  }
}

extension NewestBooksWithKeywords {
  package init(_ query: SearchQuery, _ range: SearchRange, after: SearchPosition?, limit: Int64) {
    self.init(
      titleKeys: query.titleKeys, query: query.query, statuses: range.scope.statuses, viewerID: range.viewer,
      afterScore: after?.score, afterID: after?.id, limit: limit)
  }
}

extension SimilarWords {
  /// The words that a statement found.
  package init(of query: SearchQuery, _ rows: [SimilarWord]) {
    self.init(of: query, rows.map { ($0.place, Word($0.word, edits: $0.edits)) })
  }
}
