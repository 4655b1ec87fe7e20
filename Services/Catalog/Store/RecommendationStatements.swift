import Blocks
import CatalogDomain
import Events
import Identifiers
import Postgres

/// Keeps that somebody borrowed a book, for its consumer of lending's events; no row where it was told before, the borrower has left or the
/// book is gone with its owner.
package struct InsertPastLoan: Statement {
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
  let borrower: PersonID
  let book: BookID
  let borrowedAt: Instant

  package init(_ loan: UUID7, of book: BookID, to borrower: PersonID, at moment: Instant) {
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

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> UUID7 { try row.next() }
}

/// Whether somebody ever borrowed a book; no row where they did not.
package struct AnyPastLoan: Statement {
  package static let sql = "select loan_id from past_loans where borrower_id = $1 limit 1"
  let borrower: PersonID

  package init(of borrower: PersonID) { self.borrower = borrower }

  package func bind(_ p: inout Parameters) { p.append(borrower) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> UUID7 { try row.next() }
}

/// A book that somebody might like.
package struct RecommendedBook: Sendable {
  package let book: StoredBook
  /// What they borrowed that makes it likely; `nil` where it is merely read by many.
  package let because: (isbn: ISBN, title: String)?
}

/// What somebody might like to borrow next, the best first ([CA-28]): what they can request of what is close to what they borrowed, then what
/// many read. Nothing that they own or borrowed before, and nothing for who never borrowed.
package struct RecommendedBooks: Statement {
  // Books are looked up in the order of their scores until there are enough; those far down need not be tried.
  package static let sql = """
    with past as materialized (
      select distinct on (recent.isbn) recent.isbn, recent.title
      from (
        select isbn, title, borrowed_at from past_loans where borrower_id = $1 order by borrowed_at desc limit 500
      ) as recent
      order by recent.isbn, recent.borrowed_at desc
    ), close as (
      select near.isbn, sum(near.weight)::double precision as score,
        (array_agg(past.isbn order by near.weight desc, past.isbn))[1] as because,
        (array_agg(past.title order by near.weight desc, past.isbn))[1] as title
      from past join book_neighbours as known on known.isbn = past.isbn
      cross join lateral unnest(known.neighbours, known.weights) as near (isbn, weight)
      group by near.isbn
    ), popular as (
      -- Below whatever is close.
      select known.isbn, known.readers::double precision * -1 as unpopularity
      from book_neighbours as known
      where exists (select from past)
      order by known.readers desc, known.isbn
      limit 500
    ), scored as (
      select 0 as step, close.score * -1 as distance, close.isbn, close.because, close.title from close
      where close.score > 0
      union all
      select 1, popular.unpopularity, popular.isbn, null, null from popular
      where popular.isbn not in (select close.isbn from close)
    ), ranked as (
      select * from scored
      where scored.isbn <> all(array(select isbn from past_loans where borrower_id = $1))
        and scored.isbn <> all(array(select isbn from books where owner_id = $1 and deleted_at is null))
      order by scored.step, scored.distance, scored.isbn
    )
    select \(StoredBook.columns), ranked.because, ranked.title
    from ranked
    cross join lateral (
      select copy.* from books as copy
      where copy.isbn = ranked.isbn and copy.deleted_at is null and copy.status in ('AVAILABLE', 'REQUESTED')
        and copy.owner_id <> $1 and \(Visibility.sql("copy.owner_id", "$1"))
      order by copy.status_order, copy.id
      limit 1
    ) as book \(StoredBook.people)
    order by ranked.step, ranked.distance, ranked.isbn
    limit $2
    """
  let person: PersonID
  let limit: Int64

  package init(for person: PersonID, limit: Int64) {
    self.person = person
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(person)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> RecommendedBook {
    let book = try StoredBook.decode(row)
    let (isbn, title): (Int64?, String?) = (try row.next(), try row.next())
    return RecommendedBook(book: book, because: isbn.map { (ISBN(stored: $0), title ?? "") })
  }
}

/// Some of what was ever borrowed, in an order that one goes on in: by person and book.
package struct PastReadings: Statement {
  package struct Row: Sendable {
    package let borrower: PersonID
    package let isbn: Int64
  }

  package static let sql = """
    select distinct borrower_id, isbn from past_loans
    where $1::uuid is null or (borrower_id, isbn) > ($1, $2)
    order by borrower_id, isbn
    limit $3
    """
  let after: Row?
  let limit: Int64

  package init(after: Row?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after?.borrower)
    p.append(after?.isbn)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(borrower: try row.next(), isbn: try row.next())
  }
}

/// Forgets what was recommended, in a transaction that stores it anew.
package struct RemoveNeighbours: Statement {
  package typealias Row = Void
  package static let sql = "delete from book_neighbours"

  package init() {}
}

/// What is close to some books.
package struct InsertNeighbours: Statement {
  package typealias Row = Void
  // An array of arrays would have to be of one length: each goes as text, in PostgreSQL's own spelling.
  package static let sql = """
    insert into book_neighbours (isbn, readers, neighbours, weights)
    select isbn, readers, neighbours::bigint[], weights::real[]
    from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[]) as book (isbn, readers, neighbours, weights)
    """
  let books: [BookNeighbours]

  package init(_ books: [BookNeighbours]) { self.books = books }

  package func bind(_ p: inout Parameters) {
    p.append(books.map(\.book))
    p.append(books.map { Int32($0.readers) })
    p.append(books.map { list($0.neighbours.map { "\($0.book)" }) })
    p.append(books.map { list($0.neighbours.map { "\($0.weight)" }) })
  }

  private func list(_ elements: [String]) -> String { "{\(elements.joined(separator: ","))}" }
}

/// Forgets what a person borrowed ([C-9]).
package struct DeletePastLoansOfPerson: PersonRemoval {
  package typealias Row = Void
  package static let sql = "delete from past_loans where borrower_id = $1"
  package static let people = "select borrower_id from past_loans"
  private let person: UUID7

  package init(of person: UUID7) { self.person = person }

  package func bind(_ p: inout Parameters) { p.append(person) }
}
