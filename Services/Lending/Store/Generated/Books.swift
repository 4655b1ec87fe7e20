// Made from books.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import LendingDomain
import Postgres

/// The columns of a row `book`.
package struct BookColumns: Sendable {
  package let id: BookID
  package let ownerID: UserID?
  package let isbn: ISBN
  package let status: BookStatus
  package let waiting: Int32
  package let isRetired: Bool
  package let heldAt: Instant?
  package let title: String
  package let description: String

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> BookColumns {
    BookColumns(
      id: try row.next(), ownerID: try row.next(), isbn: try row.next(), status: try row.next(),
      waiting: try row.next(), isRetired: try row.next(), heldAt: try row.next(), title: try row.next(),
      description: try row.next())
  }
}

/// Stores what the catalog reports about a book whose owner has a row; see ``keep(in:)``.
///
/// Other columns, such as the status, stay. An empty description does not replace the stored one. Books of a user who has deleted the
/// account are not stored: the owner's row is locked, so that no account deletion is stored meanwhile ([C-9]).
package struct PutBook: Statement {
  package typealias Row = Void
  package static let sql = """
    with owner as materialized (
      select deleted from users where id = $1 for share
    )
    insert into books (id, owner_id, isbn, title, description)
    select $2, $1, $3, $4, $5 from owner where not deleted
    on conflict on constraint books_pkey do update
    set title = excluded.title,
      description = case when excluded.description = '' then books.description else excluded.description end
    where books.owner_id is not null
      and (books.title, books.description) is distinct from (excluded.title, excluded.description)
    """
  package let ownerID: UserID
  package let bookID: BookID
  package let isbn: ISBN
  package let title: String
  /// Empty if it is not known.
  package let description: String

  package init(ownerID: UserID, bookID: BookID, isbn: ISBN, title: String, description: String) {
    self.ownerID = ownerID
    self.bookID = bookID
    self.isbn = isbn
    self.title = title
    self.description = description
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(bookID)
    p.append(isbn)
    p.append(title)
    p.append(description)
  }
}

/// As ``PutBook``, for several books, each once.
package struct PutBooks: Statement {
  package typealias Row = Void
  package static let sql = """
    with reported as (
      select book_id, owner_id, isbn, title, description
      from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[])
        as book (book_id, owner_id, isbn, title, description)
    ), owner as materialized (
      select id from users where id = any($2::uuid[]) and not deleted order by id for share
    )
    insert into books (id, owner_id, isbn, title, description)
    select reported.book_id, owner.id, reported.isbn, reported.title, reported.description
    from reported join owner on owner.id = reported.owner_id
    order by reported.book_id
    on conflict on constraint books_pkey do update
    set title = excluded.title,
      description = case when excluded.description = '' then books.description else excluded.description end
    where books.owner_id is not null
      and (books.title, books.description) is distinct from (excluded.title, excluded.description)
    """
  /// Each with the values at the same position of the other arrays.
  package let bookIDs: [BookID]
  package let ownerIDs: [UserID]
  package let isbns: [ISBN]
  package let titles: [String]
  package let descriptions: [String]

  package init(bookIDs: [BookID], ownerIDs: [UserID], isbns: [ISBN], titles: [String], descriptions: [String]) {
    self.bookIDs = bookIDs
    self.ownerIDs = ownerIDs
    self.isbns = isbns
    self.titles = titles
    self.descriptions = descriptions
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
    p.append(ownerIDs)
    p.append(isbns)
    p.append(titles)
    p.append(descriptions)
  }
}

/// Whether all details that requests copy are known; no row for an unknown book.
package struct KnownBook: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select book.description <> '' and coalesce(owner.username, '') <> '' as is_complete
    from books as book left join users as owner on owner.id = book.owner_id
    where book.id = $1
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A book, locked until the transaction ends.
package struct LockedBook: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    select book.id, book.owner_id, book.isbn, book.status, book.waiting,
    book.retired_at is not null or book.owner_id is null as is_retired, book.held_at, book.title, book.description from books as book where book.id = $1 for update
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// The book of a loan, locked until the transaction ends; the book of a loan never changes.
package struct LockedBookOfLoan: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    select book.id, book.owner_id, book.isbn, book.status, book.waiting,
    book.retired_at is not null or book.owner_id is null as is_retired, book.held_at, book.title, book.description from books as book where book.id = (select book_id from loans where id = $1) for update
    """
  package let loanID: LoanID

  package init(loanID: LoanID) {
    self.loanID = loanID
  }

  package func bind(_ p: inout Parameters) {
    p.append(loanID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// Locks books until the transaction ends, in the order of their ids.
package struct LockBooks: Statement {
  package typealias Row = Void
  package static let sql = """
    select from books where id = any($1::uuid[]) order by id for update
    """
  package let bookIDs: [BookID]

  package init(bookIDs: [BookID]) {
    self.bookIDs = bookIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
  }
}

/// A book that a user owns, even if it was deleted; no row for a book of another user.
package struct BookOfOwner: SingleRowStatement {
  package typealias Row = StoredBook
  package static let sql = """
    select book.id, book.owner_id, book.isbn, book.status, book.waiting,
    book.retired_at is not null or book.owner_id is null as is_retired, book.held_at, book.title, book.description from books as book where book.id = $1 and book.owner_id = $2
    """
  package let bookID: BookID
  package let ownerID: UserID

  package init(bookID: BookID, ownerID: UserID) {
    self.bookID = bookID
    self.ownerID = ownerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(ownerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBook(BookColumns.decode(row))
  }
}

/// Retires a book that the transaction has locked; returns since when it is retired.
package struct MarkRetired: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    update books set retired_at = coalesce(retired_at, $1) where id = $2 returning retired_at as retired_at
    """
  package let now: Instant
  package let bookID: BookID

  package init(now: Instant, bookID: BookID) {
    self.now = now
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(bookID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Retires those of some books that are available; the rows are locked in the order of their ids.
package struct RetireAvailableBooks: Statement {
  package typealias Row = Void
  package static let sql = """
    with book as (
      select id from books where id = any($1) and status = 'AVAILABLE' order by id for update
    )
    update books set retired_at = coalesce(books.retired_at, $2) from book where books.id = book.id
    """
  package let bookIDs: [BookID]
  package let now: Instant

  package init(bookIDs: [BookID], now: Instant) {
    self.bookIDs = bookIDs
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
    p.append(now)
  }
}

/// Withholds an available book that the transaction has locked ([CA-29]).
package struct HoldBook: Statement {
  package typealias Row = Void
  package static let sql = """
    update books set held_at = coalesce(held_at, $1) where id = $2
    """
  package let now: Instant
  package let bookID: BookID

  package init(now: Instant, bookID: BookID) {
    self.now = now
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(bookID)
  }
}

/// Releases a book that the transaction has locked ([CA-29]).
package struct ReleaseBook: Statement {
  package typealias Row = Void
  package static let sql = """
    update books set held_at = null where id = $1
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }
}

/// The status and borrower of some books.
package struct StatusesOfBooks: Statement {
  package struct Row: Sendable {
    package let bookID: BookID
    package let status: BookStatus
    package let borrowerID: UserID?
    package let isHeld: Bool
  }

  package static let pace = Pace.slow
  package static let sql = """
    select book.id as book_id, book.status, loan.borrower_id, book.held_at is not null as is_held
    from books as book left join loans as loan on loan.id = book.loan_id
    where book.id = any($1)
    """
  package let bookIDs: [BookID]

  package init(bookIDs: [BookID]) {
    self.bookIDs = bookIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(bookID: try row.next(), status: try row.next(), borrowerID: try row.next(), isHeld: try row.next())
  }
}

/// The books, among those given, for which a user has a pending request.
package struct BooksWaitedFor: Statement {
  package typealias Row = BookID
  package static let sql = """
    select book_id from loans where borrower_id = $1 and state = 'PENDING' and book_id = any($2)
    """
  package let borrowerID: UserID
  package let bookIDs: [BookID]

  package init(borrowerID: UserID, bookIDs: [BookID]) {
    self.borrowerID = borrowerID
    self.bookIDs = bookIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(borrowerID)
    p.append(bookIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of an owner's books that have been requested, by id ([LE-3]): the first step of a book is a request.
package struct RequestedBooks: Statement {
  package struct Row: Sendable {
    package let bookID: BookID
    package let title: String
    package let isbn: ISBN
    package let waiting: Int32
  }

  package static let sql = """
    select id as book_id, title, isbn, waiting from books
    where owner_id = $1 and steps > 0 and id > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
    order by id
    limit $3
    """
  package let ownerID: UserID
  /// The last book of the previous page.
  package let after: BookID?
  package let limit: Int64

  package init(ownerID: UserID, after: BookID?, limit: Int64) {
    self.ownerID = ownerID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(bookID: try row.next(), title: try row.next(), isbn: try row.next(), waiting: try row.next())
  }
}

/// Clears descriptions, so that the catalog is asked for them again after events were missed; the rows are locked in the order of their ids.
package struct ForgetDescriptions: Statement {
  package typealias Row = Void
  package static let sql = """
    with book as (
      select id from books where description <> '' order by id for update
    )
    update books set description = '' from book where books.id = book.id
    """

  package init() {}
}
