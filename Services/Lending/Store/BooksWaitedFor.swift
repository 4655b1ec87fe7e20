import Identifiers
import LendingDomain
import Postgres

/// The books, among those given, for which a user has a pending request.
package struct BooksWaitedFor: Statement {
  package typealias Row = BookID
  package static let sql = """
    select book_id from loans where borrower_id = $1 and state = 'PENDING' and book_id = any($2)
    """
  let borrower: UserID
  let books: [BookID]

  package init(by borrower: UserID, among books: [BookID]) {
    self.borrower = borrower
    self.books = books
  }

  package func bind(_ p: inout Parameters) {
    p.append(borrower)
    p.append(books)
  }
}
