import CatalogDomain
import Identifiers
import Postgres

/// A book that was found.
package struct FoundBook: Sendable {
  package let book: StoredBook
  /// How well it fits: more is better.
  package let score: Double

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundBook {
    FoundBook(book: try StoredBook.decode(row), score: try row.next())
  }
}

/// Where a page of what was found begins.
package struct SearchPosition: Sendable {
  let score: Double
  let id: BookID

  /// Behind the book of this score and id.
  package init(score: Double, id: BookID) {
    self.score = score
    self.id = id
  }
}

/// A page of the books in which every keyword occurs, the best first ([CA-25]).
package struct BooksWithKeywords: Statement {
  // A keyword in a title counts ten times one in a description; words that stand in longer texts count less.
  package static let sql = """
    select \(StoredBook.columns), rated.score
    from books as book \(StoredBook.people)
    cross join lateral (
      select ts_rank('{0.1, 0.1, 0.5, 1}', book.words, $1::tsquery, 1)::double precision as score
    ) as rated
    where book.deleted_at is null and book.status = any($2) and book.words @@ $1::tsquery
      and ($3::double precision is null or (rated.score, book.id) < ($3, $4))
    order by rated.score desc, book.id desc
    limit $5
    """
  let query: SearchQuery
  let scope: SearchScope
  let after: SearchPosition?
  let limit: Int64

  package init(_ query: SearchQuery, in scope: SearchScope, after: SearchPosition?, limit: Int64) {
    self.query = query
    self.scope = scope
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(query.query)
    p.append(scope.statuses.map(\.rawValue))
    p.append(after?.score)
    p.append(after?.id)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundBook { try .decode(row) }
}

/// A page of the books whose titles and authors are spelt like the keywords, the most similar first ([CA-25]).
package struct SimilarBooks: Statement {
  package static let sql = """
    select \(StoredBook.columns), rated.score
    from similar_books($1, $2, $3) as rated
    join books as book on book.id = rated.id \(StoredBook.people)
    where $4::double precision is null or (rated.score, book.id) < ($4, $5)
    order by rated.score desc, book.id desc
    limit $6
    """
  let query: SearchQuery
  let scope: SearchScope
  let after: SearchPosition?
  let limit: Int64

  package init(_ query: SearchQuery, in scope: SearchScope, after: SearchPosition?, limit: Int64) {
    self.query = query
    self.scope = scope
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(query.keywords.map(\.word))
    p.append(query.keywords.map(\.query))
    p.append(scope.statuses.map(\.rawValue))
    p.append(after?.score)
    p.append(after?.id)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundBook { try .decode(row) }
}
