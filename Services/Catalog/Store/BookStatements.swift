import Blocks
import CatalogDomain
import Identifiers
import Postgres

/// SQL for the words of titles and authors that misspelt keywords are compared with.
enum NameWords {
  /// A part of a statement that stores a book: adds its new words, in an order in which two such statements cannot deadlock.
  static func kept(in names: String) -> String {
    """
    named as (
      insert into name_words (word)
      select distinct found.word from unnest(string_to_array(\(names), ' ')) as found (word)
      where found.word <> '' order by found.word
      on conflict on constraint name_words_pkey do nothing
    )
    """
  }
}

/// Adds a book of a user, with the change number from ``NextChange``.
package struct InsertBook: Statement {
  package typealias Row = StoredBook
  package static let sql = """
    with \(NameWords.kept(in: "$10")), book as (
      insert into books (
        id, owner_id, isbn, title, authors, description, year, language, words, names, change, created_at, updated_at
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9::tsvector, $10, $11, $12, $12)
      returning *
    )
    select \(StoredBook.columns) from book \(StoredBook.users)
    """
  let id: BookID
  let owner: UserID
  let isbn: ISBN
  let fields: BookFields
  let change: Int64
  let now: Instant

  package init(_ id: BookID, of owner: UserID, _ isbn: ISBN, _ fields: BookFields, change: Int64, now: Instant) {
    self.id = id
    self.owner = owner
    self.isbn = isbn
    self.fields = fields
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(owner)
    p.append(isbn.number)
    fields.bind(&p, isbn)
    p.append(change)
    p.append(now)
  }
}

/// A book that was not deleted, if the viewer may see it ([C-10]).
package struct BookByID: Statement {
  package typealias Row = StoredBook
  package static let sql = """
    select \(StoredBook.columns) from books as book \(StoredBook.users)
    where book.id = $1 and book.deleted_at is null and \(Visibility.sql("book.owner_id", "$2"))
    """
  let id: BookID
  let viewer: UserID

  package init(_ id: BookID, seenBy viewer: UserID) {
    self.id = id
    self.viewer = viewer
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(viewer)
  }
}

/// A book that was not deleted, for any viewer: for other services, and for the service's own use.
package struct KnownBook: Statement {
  package typealias Row = StoredBook
  package static let sql = """
    select \(StoredBook.columns) from books as book \(StoredBook.users) where book.id = $1 and book.deleted_at is null
    """
  let id: BookID

  package init(_ id: BookID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// A book that was not deleted, if the viewer may see it ([C-10]), locked until the transaction ends.
package struct LockedBook: Statement {
  package typealias Row = StoredBook
  package static let sql = """
    select \(StoredBook.columns) from books as book \(StoredBook.users)
    where book.id = $1 and book.deleted_at is null and \(Visibility.sql("book.owner_id", "$2"))
    for update of book
    """
  let id: BookID
  let viewer: UserID

  package init(_ id: BookID, seenBy viewer: UserID) {
    self.id = id
    self.viewer = viewer
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(viewer)
  }
}

/// Replaces the owner's fields of a book that the transaction has locked, and gives it its next revision.
package struct ReplaceBook: Statement {
  package typealias Row = StoredBook
  package static let sql = """
    with \(NameWords.kept(in: "$8")), book as (
      update books
      set title = $2, authors = $3, description = $4, year = $5, language = $6, words = $7::tsvector, names = $8,
        change = $9, updated_at = $10, revision = revision + 1
      where id = $1
      returning *
    )
    select \(StoredBook.columns) from book \(StoredBook.users)
    """
  let id: BookID
  let isbn: ISBN
  let fields: BookFields
  let change: Int64
  let now: Instant

  package init(_ id: BookID, _ isbn: ISBN, _ fields: BookFields, change: Int64, now: Instant) {
    self.id = id
    self.isbn = isbn
    self.fields = fields
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    fields.bind(&p, isbn)
    p.append(change)
    p.append(now)
  }
}

/// Deletes a book that the transaction has locked: it disappears from all lists except those of changes ([CA-24], [C-11]). The caller has
/// checked that it is available; the stored status may be outdated.
package struct MarkBookDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    with book as (
      update books
      set deleted_at = $3, updated_at = $3, change = $2, revision = revision + 1, status = 'AVAILABLE', borrower_id = null
      where id = $1 and deleted_at is null
      returning owner_id
    )
    update people set books = people.books - 1 from book where people.id = book.owner_id
    """
  let id: BookID
  let change: Int64
  let now: Instant

  package init(_ id: BookID, change: Int64, now: Instant) {
    self.id = id
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(change)
    p.append(now)
  }
}

/// Stores a book's status from lending's events: lending alone changes a status ([CA-23]).
///
/// The owner's row is locked first, as by every other change of a book. It has no effect on a book that does not exist any more or already
/// has this status. A borrower who has deleted the account is not stored: the borrower's row is locked too, so that no id is stored after
/// the account deletion ([C-9]).
package struct SetBookStatus: Statement {
  package typealias Row = Void
  package static let sql = """
    with borrower as materialized (
      select departed from people where id = $3 for share
    ), change as (
      update people set changes = people.changes + 1
      from books where books.id = $1 and books.deleted_at is null and people.id = books.owner_id
        and (books.status, books.borrower_id) is distinct from ($2, $3)
      returning people.id as owner_id, people.changes as number
    )
    update books
    set status = $2, borrower_id = case when not exists (select from borrower where departed) then $3 end,
      change = change.number, updated_at = $4, revision = revision + 1
    from change where books.id = $1 and books.owner_id = change.owner_id and books.deleted_at is null
    """
  let id: BookID
  let status: BookStatus
  let borrower: UserID?
  let now: Instant

  /// - Parameter borrower: the user whose request was accepted or who has the book; `nil` while it is available or requested.
  package init(_ id: BookID, _ status: BookStatus, borrower: UserID?, now: Instant) {
    self.id = id
    self.status = status
    self.borrower = borrower
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(status.rawValue)
    p.append(borrower)
    p.append(now)
  }
}

/// The stored status of books that were not deleted, in the order of their ids: for a pass over all books.
package struct ShownBooks: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let id: BookID
    package let status: BookStatus
    package let borrower: UserID?
  }

  package static let sql = """
    select id, status, borrower_id from books where id > $1 and deleted_at is null order by id limit $2
    """
  let after: BookID
  let limit: Int64

  package init(after: BookID, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), status: try StoredBook.status(row), borrower: try row.next())
  }
}
