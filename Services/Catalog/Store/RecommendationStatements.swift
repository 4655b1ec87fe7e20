import AccountDeletions
import Blocks
import CatalogDomain
import Events
import Identifiers
import Postgres

/// Stores that a user borrowed a book, from lending's events; no row if the event was stored before, the borrower has deleted the account,
/// or the book was removed with its owner.
package struct InsertPastLoan: Statement {
  package typealias Row = UUID7
  package static let sql = """
    with present as (
      insert into people (id) values ($2)
      on conflict on constraint people_pkey do update set changes = people.changes where not people.departed
      returning id
    )
    insert into past_loans (loan_id, borrower_id, isbn, title, borrowed_at)
    select $1, present.id, book.isbn, book.title, $4
    from present join books as book on book.id = $3
    on conflict on constraint past_loans_pkey do nothing
    returning loan_id
    """
  let loan: UUID7
  let borrower: UserID
  let book: BookID
  let borrowedAt: Instant

  package init(_ loan: UUID7, of book: BookID, to borrower: UserID, at moment: Instant) {
    self.loan = loan
    self.book = book
    self.borrower = borrower
    borrowedAt = moment
  }

  package func bind(_ p: inout Parameters) {
    p.append(loan)
    p.append(borrower)
    p.append(book)
    p.append(borrowedAt)
  }
}

/// Whether a user ever borrowed a book; no row if not.
package struct AnyPastLoan: Statement {
  package typealias Row = UUID7
  package static let sql = "select loan_id from past_loans where borrower_id = $1 limit 1"
  let borrower: UserID

  package init(of borrower: UserID) { self.borrower = borrower }

  package func bind(_ p: inout Parameters) { p.append(borrower) }
}

/// A recommended book.
package struct RecommendedBook: Sendable {
  /// The book of the user that it was recommended for.
  package enum Reason: Sendable, Equatable {
    case borrowed(ISBN, title: String)
    case rated(StoredRating)
  }

  package let book: StoredBook
  /// `nil` if it is only popular.
  package let because: Reason?
}

/// Books that a user may want to borrow next, the best first ([CA-28]): requestable books that are close to those that the user borrowed or
/// rated, then popular ones. None that the user owns, borrowed or rated before, and none for a user without a past loan.
package struct RecommendedBooks: Statement {
  package static let pace = Pace.slow
  /// The weight of a reading, as in ``ReadingWeight/of(_:)``.
  private static let weight = """
    coalesce((array[\(ReadingWeight.ofStars.map { "\($0)" }.joined(separator: ", "))]::real[])[rating.stars], \
    \(ReadingWeight.unrated))
    """

  // Books are looked up in the order of their scores until there are enough; those with low scores are usually not needed.
  package static let sql = """
    with borrowed as materialized (
      select distinct on (recent.isbn) recent.isbn, recent.title
      from (
        select isbn, title, borrowed_at from past_loans where borrower_id = $1 order by borrowed_at desc limit 500
      ) as recent
      order by recent.isbn, recent.borrowed_at desc
    ), rated as materialized (
      select isbn, title, stars, rated_at from book_ratings
      where person_id = $1 and exists (select from borrowed)
      order by rated_at desc
      limit 500
    ), past as materialized (
      select isbn, coalesce(rating.title, borrowed.title) as title, rating.stars, rating.rated_at, \(weight) as weight
      from borrowed full join rated as rating using (isbn)
    ), close as (
      select near.isbn, sum(near.weight * past.weight)::double precision as score,
        (array_agg(past.isbn order by near.weight * past.weight desc, past.isbn))[1] as because
      from past join book_neighbours as known on known.isbn = past.isbn
      cross join lateral unnest(known.neighbours, known.weights) as near (isbn, weight)
      where past.weight > 0
      group by near.isbn
    ), popular as (
      -- Below whatever is close.
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
        and scored.isbn <> all(array(select isbn from book_ratings where person_id = $1))
        and scored.isbn <> all(array(select isbn from books where owner_id = $1 and deleted_at is null))
      order by scored.step, scored.distance, scored.isbn
    )
    select \(StoredBook.columns), past.isbn, past.title, past.stars, past.rated_at
    from ranked
    cross join lateral (
      select copy.* from books as copy
      where copy.isbn = ranked.isbn and copy.deleted_at is null and copy.status in ('AVAILABLE', 'REQUESTED')
        and copy.owner_id <> $1 and \(Visibility.sql("copy.owner_id", "$1"))
      order by copy.status_order, copy.id
      limit 1
    ) as book \(StoredBook.users)
    left join past on past.isbn = ranked.because
    order by ranked.step, ranked.distance, ranked.isbn
    limit $2
    """
  let user: UserID
  let limit: Int64

  package init(for user: UserID, limit: Int64) {
    self.user = user
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> RecommendedBook {
    let book = try StoredBook.decode(row)
    let (number, title): (Int64?, String?) = (try row.next(), try row.next())
    let (stars, ratedAt): (Int16?, Instant?) = (try row.next(), try row.next())
    guard let isbn = number.map({ ISBN(stored: $0) }), let title else {
      return RecommendedBook(book: book, because: nil)
    }
    guard let stars, let ratedAt else {
      return RecommendedBook(book: book, because: .borrowed(isbn, title: title))
    }
    let rating = StoredRating(isbn: isbn, title: title, stars: Stars(stored: stars), ratedAt: ratedAt)
    return RecommendedBook(book: book, because: .rated(rating))
  }
}

/// Removes a user's past loans ([C-9]).
package struct DeletePastLoansOfUser: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = "delete from past_loans where borrower_id = $1"
  package static let users = "select borrower_id from past_loans"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
