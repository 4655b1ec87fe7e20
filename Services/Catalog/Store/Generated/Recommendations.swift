// Made from recommendations.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// Stores which books users borrowed, from lending's events; a row for each loan that was not stored before, whose borrower has not deleted
/// the account, and whose book was not removed with its owner.
package struct InsertPastLoans: Statement {
  package typealias Row = UUID7
  package static let sql = """
    with reported as (
      select loan_id, borrower_id, book_id, borrowed_at
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
        as loan (loan_id, borrower_id, book_id, borrowed_at)
    ), present as (
      insert into users (id) select distinct borrower_id from reported order by borrower_id
      on conflict on constraint users_pkey do update set changes = users.changes where not users.deleted
      returning id
    )
    insert into past_loans (loan_id, borrower_id, isbn, title, borrowed_at)
    select reported.loan_id, present.id, book.isbn, book.title, reported.borrowed_at
    from reported join present on present.id = reported.borrower_id join books as book on book.id = reported.book_id
    on conflict on constraint past_loans_pkey do nothing
    returning loan_id
    """
  /// Lending's.
  package let loanIDs: [UUID7]
  package let borrowerIDs: [UserID]
  package let bookIDs: [BookID]
  package let times: [Instant]

  package init(loanIDs: [UUID7], borrowerIDs: [UserID], bookIDs: [BookID], times: [Instant]) {
    self.loanIDs = loanIDs
    self.borrowerIDs = borrowerIDs
    self.bookIDs = bookIDs
    self.times = times
  }

  package func bind(_ p: inout Parameters) {
    p.append(loanIDs)
    p.append(borrowerIDs)
    p.append(bookIDs)
    p.append(times)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Whether a user ever borrowed a book; no row if not.
package struct AnyPastLoan: SingleRowStatement {
  package typealias Row = UUID7
  package static let sql = """
    select loan_id from past_loans where borrower_id = $1 limit 1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Books that a user may want to borrow next, the best first ([CA-28]): requestable books that are close to those that the user borrowed or
/// rated, then popular ones. None that the user owns, borrowed or rated before, and none for a user without a past loan.
package struct RecommendedBooks: Statement {
  package struct Row: Sendable {
    package let book: StoredBook
    /// The user's own book that it was recommended for; `nil` if it is only popular.
    package let pastISBN: ISBN?
    package let pastTitle: String?
    /// `nil` if that book was borrowed and not rated.
    package let pastStars: Stars?
    package let pastRatedAt: Instant?
  }

  package static let pace = Pace.slow
  package static let sql = """
    with borrowed as materialized (
      select distinct on (recent.isbn) recent.isbn, recent.title
      from (
        select isbn, title, borrowed_at from past_loans where borrower_id = $1 order by borrowed_at desc limit 500
      ) as recent
      order by recent.isbn, recent.borrowed_at desc
    ), rated as materialized (
      select isbn, title, stars, rated_at from book_ratings
      where user_id = $1 and exists (select from borrowed)
      order by rated_at desc
      limit 500
    ), past as materialized (
      select isbn, coalesce(rating.title, borrowed.title) as title, rating.stars, rating.rated_at,
        coalesce(($2::real[])[rating.stars], $3::real) as weight
      from borrowed full join rated as rating using (isbn)
    ), close as (
      select near.isbn, sum(near.weight * past.weight)::double precision as score,
        (array_agg(past.isbn order by near.weight * past.weight desc, past.isbn))[1] as because
      from past join book_neighbours as known on known.isbn = past.isbn
      cross join lateral unnest(known.neighbours, known.weights) as near (isbn, weight)
      where past.weight > 0
      group by near.isbn
    ), popular as (
      select known.isbn, known.readers::double precision * -1 as unpopularity
      from book_neighbours as known
      where exists (select from past)
      order by known.readers desc, known.isbn
      limit 500
    ), scored as (
      select 0 as step, close.score * -1 as distance, close.isbn, close.because from close
      where close.score > 0
      union all
      select 1, popular.unpopularity, popular.isbn, null from popular
      where popular.isbn not in (select close.isbn from close)
    ), ranked as (
      select * from scored
      where scored.isbn <> all(array(select isbn from past_loans where borrower_id = $1))
        and scored.isbn <> all(array(select isbn from book_ratings where user_id = $1))
        and scored.isbn <> all(array(select isbn from books where owner_id = $1 and deleted_at is null))
      order by scored.step, scored.distance, scored.isbn
    )
    select
      book.id as id, book.owner_id as owner_id, coalesce(owner.username, '') as owner_username, book.isbn as isbn,
    book.title as title, book.authors as authors, book.description as description, book.year,
    book.language as language, book.status as status, book.on_hold as on_hold, book.borrower_id, coalesce(borrower.username, '') as borrower_username,
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as photo_ids,
    book.revision as revision, book.created_at as created_at, book.updated_at as updated_at,
      past.isbn as past_isbn, past.title as past_title, past.stars as past_stars, past.rated_at as past_rated_at
    from ranked
    cross join lateral (
      select copy.* from books as copy
      where copy.isbn = ranked.isbn and copy.deleted_at is null and not copy.on_hold and copy.status in ('AVAILABLE', 'REQUESTED')
        and copy.owner_id <> $1 and copy.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $1
      union all
      select blocker_id from blocks where blocked_id = $1
    )) and copy.owner_id <> all(array(select user_id from erasures))
      order by copy.status_order, copy.id
      limit 1
    ) as book left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id
    left join past on past.isbn = ranked.because
    order by ranked.step, ranked.distance, ranked.isbn
    limit $4
    """
  package let userID: UserID
  /// The weights of readings, as in ``ReadingWeight/of(_:)``.
  package let weightsOfStars: [Float]
  package let weightUnrated: Float
  package let limit: Int64

  package init(userID: UserID, weightsOfStars: [Float], weightUnrated: Float, limit: Int64) {
    self.userID = userID
    self.weightsOfStars = weightsOfStars
    self.weightUnrated = weightUnrated
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(weightsOfStars)
    p.append(weightUnrated)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      book: try StoredBook(BookColumns.decode(row)), pastISBN: try row.next(), pastTitle: try row.next(),
      pastStars: try row.next(), pastRatedAt: try row.next())
  }
}
