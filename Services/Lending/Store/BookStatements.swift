import Identifiers
import LendingDomain
import Postgres

/// A stored book.
package struct StoredBook: RowDecodable {
  package let id: BookID
  package let facts: BookFacts
  package let title: String
  /// Empty until the catalog has reported it.
  package let description: String

  static let columns = """
    book.id, book.owner_id, book.isbn, book.status, book.waiting, book.retired_at is not null or book.owner_id is null,
    book.title, book.description
    """

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBook {
    let (id, owner): (BookID, UserID?) = (try row.next(), try row.next())
    let (isbn, status, waiting): (Int64, BookStatus, Int32) = (
      try row.next(), try BookStatus(column: try row.next()), try row.next()
    )
    return StoredBook(
      id: id,
      facts: BookFacts(
        ownerID: owner, isbn: ISBN(stored: isbn), status: status, waiting: Int(waiting), isRetired: try row.next()),
      title: try row.next(), description: try row.next())
  }
}

extension RawRepresentable where RawValue == String {
  /// Parses the value of a column.
  init(column text: String) throws(ColumnError) {
    guard let value = Self(rawValue: text) else { throw ColumnError("there is no \(Self.self) \(text)") }
    self = value
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
      select departed from people where id = $2 for share
    )
    insert into books (id, owner_id, isbn, title, description)
    select $1, $2, $3, $4, $5 from owner where not departed
    on conflict on constraint books_pkey do update
    set title = excluded.title,
      description = case when excluded.description = '' then books.description else excluded.description end
    where books.owner_id is not null
      and (books.title, books.description) is distinct from (excluded.title, excluded.description)
    """
  let id: BookID
  let owner: UserID
  let isbn: ISBN
  let title: String
  let description: String

  package init(_ id: BookID, of owner: UserID, _ isbn: ISBN, title: String, description: String) {
    self.id = id
    self.owner = owner
    self.isbn = isbn
    self.title = title
    self.description = description
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(owner)
    p.append(isbn.number)
    p.append(title)
    p.append(description)
  }

  /// Stores it, after creating the owner's row if necessary.
  package func keep(in tx: Transaction) async throws {
    try await tx.execute(EnterUser(owner))
    try await tx.execute(self)
  }
}

/// Whether all details that requests copy are known; no row for an unknown book.
package struct KnownBook: Statement {
  package typealias Row = Bool
  package static let sql = """
    select book.description <> '' and coalesce(owner.username, '') <> ''
    from books as book left join people as owner on owner.id = book.owner_id
    where book.id = $1
    """
  let id: BookID

  package init(_ id: BookID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// A book, locked until the transaction ends.
package struct LockedBook: Statement {
  package static let sql = "select \(StoredBook.columns) from books as book where book.id = $1 for update"
  let id: BookID

  package init(_ id: BookID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBook { try .decode(row) }
}

/// The book of a loan, locked until the transaction ends; the book of a loan never changes.
package struct LockedBookOfLoan: Statement {
  package static let sql = """
    select \(StoredBook.columns) from books as book where book.id = (select book_id from loans where id = $1) for update
    """
  let loan: LoanID

  package init(_ loan: LoanID) { self.loan = loan }

  package func bind(_ p: inout Parameters) { p.append(loan) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBook { try .decode(row) }
}

/// A book that a user owns, even if it was deleted; no row for a book of another user.
package struct BookOfOwner: Statement {
  package static let sql = "select \(StoredBook.columns) from books as book where book.id = $1 and book.owner_id = $2"
  let id: BookID
  let owner: UserID

  package init(_ id: BookID, of owner: UserID) {
    self.id = id
    self.owner = owner
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(owner)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBook { try .decode(row) }
}

/// Retires a book that the transaction has locked; returns since when it is retired.
package struct MarkRetired: Statement {
  package typealias Row = Instant
  package static let sql = "update books set retired_at = coalesce(retired_at, $2) where id = $1 returning retired_at"
  let id: BookID
  let now: Instant

  package init(_ id: BookID, now: Instant) {
    self.id = id
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(now)
  }
}

/// The status and borrower of some books.
package struct StatusesOfBooks: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let id: BookID
    package let status: BookStatus
    package let borrower: UserID?
  }

  package static let sql = """
    select book.id, book.status, loan.borrower_id
    from books as book left join loans as loan on loan.id = book.loan_id
    where book.id = any($1)
    """
  let ids: [BookID]

  package init(_ ids: [BookID]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), status: try BookStatus(column: try row.next()), borrower: try row.next())
  }
}
