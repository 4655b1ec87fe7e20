import CatalogDomain
import Identifiers
import Postgres

/// A page of a user's books, by status and then in the order in which they were added ([CA-22]).
package struct BooksOfOwner: Statement {
  package struct Row: Sendable {
    package let book: StoredBook
    /// The position of its status in the list's order.
    package let order: Int64
  }

  package static let sql = """
    select \(StoredBook.columns), book.status_order
    from books as book \(StoredBook.users)
    where book.owner_id = $1 and book.deleted_at is null and ($2::text is null or book.status = $2)
      and ($3::bigint is null or (book.status_order, book.id) > ($3, $4))
    order by book.status_order, book.id
    limit $5
    """
  let owner: UserID
  let status: BookStatus?
  let after: (Int64, BookID)?
  let limit: Int64

  /// - Parameter status: only books with this status; `nil` for all.
  package init(_ owner: UserID, _ status: BookStatus?, after: (Int64, BookID)?, limit: Int64) {
    self.owner = owner
    self.status = status
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(status?.rawValue)
    p.append(after?.0)
    p.append(after?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(book: try StoredBook.decode(row), order: try row.next())
  }
}

/// A user's books that changed after a change number, in the order of their last changes ([C-11]).
package struct ChangedBooks: Statement {
  package struct Row: Sendable {
    package let book: StoredBook
    package let change: Int64
    /// `nil` unless it was deleted.
    package let deletedAt: Instant?
  }

  package static let sql = """
    select \(StoredBook.columns), book.change, book.deleted_at
    from books as book \(StoredBook.users)
    where book.owner_id = $1 and book.change > $2
    order by book.change
    limit $3
    """
  let owner: UserID
  let after: Int64
  let limit: Int64

  package init(of owner: UserID, after: Int64, limit: Int64) {
    self.owner = owner
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(book: try StoredBook.decode(row), change: try row.next(), deletedAt: try row.next())
  }
}
