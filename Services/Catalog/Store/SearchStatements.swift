import CatalogDomain
import Identifiers
import Postgres

/// A book found by a search.
package struct FoundBook: Sendable {
  package let book: StoredBook
  /// How well it matches: more is better.
  package let score: Double

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundBook {
    FoundBook(book: try StoredBook.decode(row), score: try row.next())
  }
}

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

/// A page of the books in which every keyword occurs, the best first ([CA-25]).
package struct BooksWithKeywords: Statement {
  package static let pace = Pace.slow
  /// The most books that are ranked; further ones with the keywords are not.
  private static let maxRanked: Int64 = 500

  package static let sql = """
    select \(StoredBook.columns), rated.score
    from (
      select id, score from books_with_words($1::tsquery, $2::tsquery, $3, $4, $5)
      where $6::double precision is null or (score, id) < ($6, $7)
      order by score desc, id desc
      limit $8
    ) as rated
    join books as book on book.id = rated.id \(StoredBook.users)
    order by rated.score desc, rated.id desc
    """
  let rare: String
  let query: SearchQuery
  let range: SearchRange
  let after: SearchPosition?
  let limit: Int64

  /// - Parameter rare: a `tsquery` for the index that every book of `query` matches.
  package init(_ query: SearchQuery, rare: String, _ range: SearchRange, after: SearchPosition?, limit: Int64) {
    self.query = query
    self.rare = rare
    self.range = range
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(rare)
    p.append(query.query)
    p.append(range.scope.statuses.map(\.rawValue))
    p.append(range.viewer)
    p.append(Self.maxRanked)
    p.append(after?.score)
    p.append(after?.id)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundBook { try .decode(row) }
}

/// A page of the books in which every keyword occurs, the newest first, for common keywords ([CA-25]).
package struct NewestBooksWithKeywords: Statement {
  package static let pace = Pace.slow
  package static let sql = """
    select \(StoredBook.columns), 0::double precision as score
    from newest_books_with_words($1::tsquery, $2, $3, coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), $5) as newest
    join books as book on book.id = newest.id \(StoredBook.users)
    order by newest.id desc
    """
  let query: SearchQuery
  let range: SearchRange
  let before: BookID?
  let limit: Int64

  package init(_ query: SearchQuery, _ range: SearchRange, before: BookID?, limit: Int64) {
    self.query = query
    self.range = range
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(query.query)
    p.append(range.scope.statuses.map(\.rawValue))
    p.append(range.viewer)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundBook { try .decode(row) }
}

/// Words of titles and authors that are spelt similarly to keywords ([CA-25]): the closest for each, and the keyword itself if it is one.
package struct WordsLike: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    /// The index of the keyword.
    package let place: Int
    package let word: String
  }

  package static let sql = """
    select keyword.place - 1, near.word
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral (
      select alike.word, rank() over (order by greatest(alike.edits, 1)) as rank from words_like(keyword.word) as alike
    ) as near
    where near.rank = 1
    """
  let keywords: [String]

  package init(_ query: SearchQuery) { keywords = query.keywords.map(\.word) }

  package func bind(_ p: inout Parameters) { p.append(keywords) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let place: Int64 = try row.next()
    return Row(place: Int(place), word: try row.next())
  }
}

/// The most common words, by the database's statistics; no row if there are none yet.
package struct CommonWords: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let word: String
    /// The share of all books that have it.
    package let share: Double
    /// The number of books.
    package let books: Double
  }

  package static let sql = """
    select common.word, common.share::double precision, greatest(books.reltuples, 0)::double precision
    from pg_class as books, pg_stats as statistics,
      unnest(statistics.most_common_elems::text::text[], statistics.most_common_elem_freqs) as common (word, share)
    where books.oid = 'books'::regclass and statistics.schemaname = current_schema()
      and statistics.tablename = 'books' and statistics.attname = 'words' and common.word is not null
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(word: try row.next(), share: try row.next(), books: try row.next())
  }
}
