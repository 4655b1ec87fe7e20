// Made from book_search.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A page of the books in which every keyword occurs, the best first ([CA-25]). A keyword in a title counts ten times one in a description;
/// words that stand in longer texts count less.
package struct BooksWithKeywords: Statement {
  package struct Row: Sendable {
    package let book: StoredBook
    /// How well it matches: more is better.
    package let score: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at, rated.score as score
    from (
      select scored.id, scored.score
      from (
        select found.id, ts_rank('{0.1, 0.1, 0.5, 1}', found.words, $1::tsquery, 1)::double precision as score
        from (
          select id, words from books
          where deleted_at is null and words @@ $2::tsquery
            and (words @@ $1::tsquery) is true
            and status = any($3) and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $4
      union all
      select blocker_id from blocks where blocked_id = $4
    ))
          limit 500
        ) as found
      ) as scored
      where $5::double precision is null or (scored.score, scored.id) < ($5, $6)
      order by scored.score desc, scored.id desc
      limit $7
    ) as rated
    join books as book on book.id = rated.id left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    order by rated.score desc, rated.id desc
    """
  package let query: String
  /// A `tsquery` for the index that every book of `query` matches.
  package let rare: String
  package let statuses: [BookStatus]
  package let viewerID: UserID
  package let afterScore: Double?
  package let afterID: BookID?
  package let limit: Int64

  package init(
    query: String, rare: String, statuses: [BookStatus], viewerID: UserID, afterScore: Double?, afterID: BookID?,
    limit: Int64) {
    self.query = query
    self.rare = rare
    self.statuses = statuses
    self.viewerID = viewerID
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(query)
    p.append(rare)
    p.append(statuses)
    p.append(viewerID)
    p.append(afterScore)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(book: try StoredBook(BookColumns.decode(row)), score: try row.next())
  }
}

/// A page of the books in which every keyword occurs, the newest first, for common keywords ([CA-25]).
package struct NewestBooksWithKeywords: Statement {
  package typealias Row = StoredBook
  package static let pace = Pace.slow
  package static let sql = """
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at
    from books as book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    where book.deleted_at is null
      and (book.words @@ $1::tsquery) is true
      and book.status = any($2) and book.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $3
      union all
      select blocker_id from blocks where blocked_id = $3
    ))
      and book.id < coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by book.id desc
    limit $5
    """
  package let query: String
  package let statuses: [BookStatus]
  package let viewerID: UserID
  /// The last book of the previous page.
  package let before: BookID?
  package let limit: Int64

  package init(query: String, statuses: [BookStatus], viewerID: UserID, before: BookID?, limit: Int64) {
    self.query = query
    self.statuses = statuses
    self.viewerID = viewerID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(query)
    p.append(statuses)
    p.append(viewerID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// Words of titles and authors that are spelt similarly to keywords ([CA-25]): the closest for each, and the keyword itself if it is one.
package struct WordsLike: Statement {
  package struct Row: Sendable {
    /// The index of the keyword.
    package let place: Int64
    package let word: String
  }

  package static let pace = Pace.slow
  package static let sql = """
    select keyword.place - 1 as place, near.word as word
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral (
      select alike.word, rank() over (order by greatest(alike.edits, 1)) as rank from words_like(keyword.word) as alike
    ) as near
    where near.rank = 1
    """
  package let keywords: [String]

  package init(keywords: [String]) {
    self.keywords = keywords
  }

  package func bind(_ p: inout Parameters) {
    p.append(keywords)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(place: try row.next(), word: try row.next())
  }
}

/// The most common words, by the database's statistics; no row if there are none yet.
package struct CommonWords: Statement {
  package struct Row: Sendable {
    package let word: String
    /// The share of all books that have it.
    package let share: Double
    /// The number of books.
    package let books: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select
      common.word as word, common.share::double precision as share,
      greatest(books.reltuples, 0)::double precision as books
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
