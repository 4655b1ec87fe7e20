// Made from book_search.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A known word that is spelt like a keyword.
package struct SimilarWord: Sendable, RowDecodable {
  /// The index of the keyword.
  package let place: Int64
  package let word: String
  /// By how many letters they differ; 1 for the keyword itself.
  package let edits: Int32

  package init(place: Int64, word: String, edits: Int32) {
    self.place = place
    self.word = word
    self.edits = edits
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> SimilarWord {
    SimilarWord(place: try row.next(), word: try row.next(), edits: try row.next())
  }
}

/// A page of the books in which every keyword occurs, the best first ([CA-25]): exact titles, then books that have every keyword as a word,
/// then those with words that begin with the keywords. A keyword in a title counts ten times one in a description; words that stand in
/// longer texts count less.
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
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at, rated.score as score
    from (
      select scored.id, scored.score
      from (
        select found.id, (
          case
            when found.title_key = any($1::text[]) or found.other_title_keys && $1::text[] then 6
            when exists (
              select from unnest($1::text[]) as typed (title)
              cross join unnest(found.title_key || found.other_title_keys) as own (title)
              where strpos(' ' || typed.title || ' ', ' ' || own.title || ' ') > 0
            ) then 5
            when found.words @@ $2::tsquery or found.surname = any($3::text[]) then 4
            when exists (
              select from unnest($1::text[]) as typed (title)
              cross join unnest(found.title_key || found.other_title_keys) as own (title)
              where starts_with(own.title, typed.title || ' ')
            ) then 3
            when found.words @@ $4::tsquery then 2
            when found.words @@ $5::tsquery then 1
            else 0
          end + ts_rank('{0.1, 0.1, 0.5, 1}', found.words, $6::tsquery, 1 | 32)
        )::double precision as score
        from (
          (
            select id, words, title_key, other_title_keys, surname from books
            where (title_key = any($1::text[]) or other_title_keys <> '{}' and other_title_keys && $1::text[]) and (words @@ $6::tsquery) is true and deleted_at is null and not on_hold and status = any($7) and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $8
      union all
      select blocker_id from blocks where blocked_id = $8
    )) and owner_id <> all(array(select user_id from erasures))
            limit 500
          )
          union all
          (
            select id, words, title_key, other_title_keys, surname from books
            where words @@ $9::tsquery
              and (words @@ $5::tsquery) is true
              and not (title_key = any($1::text[]) or other_title_keys <> '{}' and other_title_keys && $1::text[]) and deleted_at is null and not on_hold and status = any($7) and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $8
      union all
      select blocker_id from blocks where blocked_id = $8
    )) and owner_id <> all(array(select user_id from erasures))
            limit 500
          )
          union all
          (
            select id, words, title_key, other_title_keys, surname from books
            where words @@ $10::tsquery and (words @@ $6::tsquery) is true and (words @@ $5::tsquery) is false
              and not (title_key = any($1::text[]) or other_title_keys <> '{}' and other_title_keys && $1::text[]) and deleted_at is null and not on_hold and status = any($7) and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $8
      union all
      select blocker_id from blocks where blocked_id = $8
    )) and owner_id <> all(array(select user_id from erasures))
            limit 500
          )
          limit 500
        ) as found
      ) as scored
      where $11::double precision is null or (scored.score, scored.id) < ($11, $12)
      order by scored.score desc, scored.id desc
      limit $13
    ) as rated
    join books as book on book.id = rated.id left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    order by rated.score desc, rated.id desc
    """
  /// The keys of titles that consist of the keywords.
  package let titleKeys: [String]
  /// As `title_phrase`, in authors' names; `nil` for a single word.
  package let authorPhrase: String?
  /// The single word; empty for several.
  package let surnames: [String]
  /// A `tsquery` of the words in the order in which they were typed, in titles.
  package let titlePhrase: String
  /// A `tsquery` of the keywords as words.
  package let whole: String
  /// A `tsquery` of the keywords and of words that begin with them.
  package let query: String
  package let statuses: [BookStatus]
  package let viewerID: UserID
  /// A `tsquery` for the index that every book of `whole` matches.
  package let rareWhole: String
  /// A `tsquery` for the index that every book of `query` matches.
  package let rare: String
  package let afterScore: Double?
  package let afterID: BookID?
  package let limit: Int64

  package init(
    titleKeys: [String], authorPhrase: String?, surnames: [String], titlePhrase: String, whole: String, query: String,
    statuses: [BookStatus], viewerID: UserID, rareWhole: String, rare: String, afterScore: Double?, afterID: BookID?,
    limit: Int64) {
    self.titleKeys = titleKeys
    self.authorPhrase = authorPhrase
    self.surnames = surnames
    self.titlePhrase = titlePhrase
    self.whole = whole
    self.query = query
    self.statuses = statuses
    self.viewerID = viewerID
    self.rareWhole = rareWhole
    self.rare = rare
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(titleKeys)
    p.append(authorPhrase)
    p.append(surnames)
    p.append(titlePhrase)
    p.append(whole)
    p.append(query)
    p.append(statuses)
    p.append(viewerID)
    p.append(rareWhole)
    p.append(rare)
    p.append(afterScore)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(book: try StoredBook(BookColumns.decode(row)), score: try row.next())
  }
}

/// A page of the books in which every keyword occurs, for common keywords ([CA-25]): exact titles, then the newest.
package struct NewestBooksWithKeywords: Statement {
  package struct Row: Sendable {
    package let book: StoredBook
    /// 1 for an exact title, 0 for another.
    package let score: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at, listed.score as score
    from (
      (
        select id, 1::double precision as score from books
        where (title_key = any($1::text[]) or other_title_keys <> '{}' and other_title_keys && $1::text[]) and (words @@ $2::tsquery) is true and deleted_at is null and not on_hold and status = any($3) and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $4
      union all
      select blocker_id from blocks where blocked_id = $4
    )) and owner_id <> all(array(select user_id from erasures))
          and ($5::double precision is null or (1, id) < ($5, $6))
        order by id desc
        limit $7
      )
      union all
      (
        select id, 0::double precision as score from books
        where not (title_key = any($1::text[]) or other_title_keys <> '{}' and other_title_keys && $1::text[])
          and (words @@ $2::tsquery) is true and deleted_at is null and not on_hold and status = any($3) and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $4
      union all
      select blocker_id from blocks where blocked_id = $4
    )) and owner_id <> all(array(select user_id from erasures))
          and id < case when $5 = 0 then $6::uuid else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end
        order by id desc
        limit $7
      )
    ) as listed
    join books as book on book.id = listed.id left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    order by listed.score desc, listed.id desc
    limit $7
    """
  /// The keys of titles that consist of the keywords.
  package let titleKeys: [String]
  package let query: String
  package let statuses: [BookStatus]
  package let viewerID: UserID
  /// Of the last book of the previous page.
  package let afterScore: Double?
  package let afterID: BookID?
  package let limit: Int64

  package init(
    titleKeys: [String], query: String, statuses: [BookStatus], viewerID: UserID, afterScore: Double?, afterID: BookID?,
    limit: Int64) {
    self.titleKeys = titleKeys
    self.query = query
    self.statuses = statuses
    self.viewerID = viewerID
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(titleKeys)
    p.append(query)
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

/// Words of titles and authors that are spelt similarly to keywords ([CA-25]), the closest first.
package struct WordsLike: Statement {
  package typealias Row = SimilarWord
  package static let pace = Pace.slow
  package static let sql = """
    select keyword.place - 1 as place, alike.word as word, greatest(alike.edits, 1) as edits
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral words_like(keyword.word) as alike
    order by keyword.place, alike.edits, alike.word
    """
  package let keywords: [String]

  package init(keywords: [String]) {
    self.keywords = keywords
  }

  package func bind(_ p: inout Parameters) {
    p.append(keywords)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try SimilarWord.decode(row)
  }
}

/// The books that a search in the available ones may find, for an evaluation of searches.
package struct JudgedBooks: Statement {
  package struct Row: Sendable {
    package let id: BookID
    package let isbn: ISBN
    package let title: String
    package let otherTitleKeys: [String]
    package let authors: [String]
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, isbn, title, other_title_keys, authors from books
    where deleted_at is null and status in ('AVAILABLE', 'REQUESTED')
    order by id
    limit $1
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), isbn: try row.next(), title: try row.next(), otherTitleKeys: try row.next(),
      authors: try row.next())
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
    from pg_class as books
    join pg_namespace as namespace on namespace.oid = books.relnamespace,
      pg_stats as statistics,
      unnest(statistics.most_common_elems::text::text[], statistics.most_common_elem_freqs) as common (word, share)
    where books.oid = 'books'::regclass and statistics.schemaname = namespace.nspname
      and statistics.tablename = 'books' and statistics.attname = 'words' and common.word is not null
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(word: try row.next(), share: try row.next(), books: try row.next())
  }
}
