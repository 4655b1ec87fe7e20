import Identifiers
import LendingDomain
import Postgres

/// A page of a borrower's requests, the newest first ([LE-2]).
package struct LoansOfBorrower: Statement {
  package static let sql = LoanPage.sql(of: "borrower_id = $1 and id < \(Bounds.before("$2"))")
  let page: ListPage<UserID, LoanID>

  package init(_ borrower: UserID, before: LoanID?, limit: Int64) { page = ListPage(borrower, before, limit) }

  package func bind(_ p: inout Parameters) { page.bind(&p) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// A page of a borrower's requests in one state, the newest first ([LE-2], [LE-11]).
package struct LoansOfBorrowerInState: Statement {
  package static let sql = LoanPage.sql(of: "borrower_id = $1 and state = $4 and id < \(Bounds.before("$2"))")
  let page: ListPage<UserID, LoanID>
  let state: LoanState

  package init(_ borrower: UserID, _ state: LoanState, before: LoanID?, limit: Int64) {
    page = ListPage(borrower, before, limit)
    self.state = state
  }

  package func bind(_ p: inout Parameters) {
    page.bind(&p)
    p.append(state.rawValue)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// A page of loans, the newest first, as SQL.
private enum LoanPage {
  /// The page is limited before the joins, so that it uses the index whatever the planner estimates for the joins.
  static func sql(of condition: String) -> String {
    """
    select \(StoredLoan.columns)
    from (select * from loans where \(condition) order by id desc limit $3) as loan
    join books as book on book.id = loan.book_id \(StoredLoan.usernames)
    order by loan.id desc
    """
  }
}

/// A page of the pending requests for a book, the oldest first ([LE-3]).
package struct RequestsForBook: Statement {
  package static let sql = """
    \(StoredLoan.selection)
    where loan.book_id = $1 and loan.state = 'PENDING' and loan.id > \(Bounds.after("$2"))
    order by loan.id
    limit $3
    """
  let page: ListPage<BookID, LoanID>

  package init(for book: BookID, after: LoanID?, limit: Int64) { page = ListPage(book, after, limit) }

  package func bind(_ p: inout Parameters) { page.bind(&p) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// A page of the accepted and borrowed loans of an owner's books, the newest first ([LE-11]).
package struct LentBooks: Statement {
  package static let sql = """
    \(StoredLoan.selection)
    where loan.owner_id = $1 and loan.state in ('ACCEPTED', 'BORROWED') and loan.id < \(Bounds.before("$2"))
    order by loan.id desc
    limit $3
    """
  let page: ListPage<UserID, LoanID>

  package init(of owner: UserID, before: LoanID?, limit: Int64) { page = ListPage(owner, before, limit) }

  package func bind(_ p: inout Parameters) { page.bind(&p) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// An owner's book with pending requests.
package struct RequestedBook: Sendable {
  package let id: BookID
  package let title: String
  package let isbn: ISBN
  package let waiting: Int32
}

/// A page of an owner's books with pending requests, by id ([LE-3]).
package struct RequestedBooks: Statement {
  package static let sql = """
    select id, title, isbn, waiting from books
    where owner_id = $1 and status = 'REQUESTED' and id > \(Bounds.after("$2"))
    order by id
    limit $3
    """
  let page: ListPage<UserID, BookID>

  package init(of owner: UserID, after: BookID?, limit: Int64) { page = ListPage(owner, after, limit) }

  package func bind(_ p: inout Parameters) { page.bind(&p) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> RequestedBook {
    RequestedBook(
      id: try row.next(), title: try row.next(), isbn: ISBN(stored: try row.next()), waiting: try row.next())
  }
}
