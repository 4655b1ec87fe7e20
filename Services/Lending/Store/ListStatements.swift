import Identifiers
import LendingDomain
import Postgres

/// Where a page begins, as SQL: with or without a page before it, the same index leads there.
enum Bounds {
  /// The parameter, or what is greater than every id.
  static func before(_ parameter: String) -> String {
    "coalesce(\(parameter), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)"
  }
  /// The parameter, or what is less than every id.
  static func after(_ parameter: String) -> String {
    "coalesce(\(parameter), '00000000-0000-0000-0000-000000000000'::uuid)"
  }
}

/// A page of what somebody asked for, the newest first ([LE-2]).
package struct LoansOfBorrower: Statement {
  package static let sql = LoanPage.sql(of: "borrower_id = $1 and id < \(Bounds.before("$2"))", limit: "$3")
  let borrower: PersonID
  let before: LoanID?
  let limit: Int64

  package init(_ borrower: PersonID, before: LoanID?, limit: Int64) {
    self.borrower = borrower
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(borrower)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// The same of what is in one state ([LE-2], [LE-11]).
package struct LoansOfBorrowerInState: Statement {
  package static let sql = LoanPage.sql(
    of: "borrower_id = $1 and state = $4 and id < \(Bounds.before("$2"))", limit: "$3")
  let page: LoansOfBorrower
  let state: LoanState

  package init(_ borrower: PersonID, _ state: LoanState, before: LoanID?, limit: Int64) {
    page = LoansOfBorrower(borrower, before: before, limit: limit)
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
  /// The page is cut before anything is joined to it, so that it goes along an index whatever the planner thinks of the rest.
  static func sql(of condition: String, limit: String) -> String {
    """
    select \(StoredLoan.columns)
    from (select * from loans where \(condition) order by id desc limit \(limit)) as loan
    join books as book on book.id = loan.book_id \(StoredLoan.borrower)
    order by loan.id desc
    """
  }
}

/// A page of the requests that wait for a book, the oldest first ([LE-3]).
package struct RequestsForBook: Statement {
  package static let sql = """
    select \(StoredLoan.columns)
    from loans as loan join books as book on book.id = loan.book_id \(StoredLoan.borrower)
    where loan.book_id = $1 and loan.state = 'PENDING' and loan.id > \(Bounds.after("$2"))
    order by loan.id
    limit $3
    """
  let book: BookID
  let after: LoanID?
  let limit: Int64

  package init(for book: BookID, after: LoanID?, limit: Int64) {
    self.book = book
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// A page of the loans by which somebody's books are promised or lent, the newest first ([LE-11]).
package struct LentBooks: Statement {
  package static let sql = """
    select \(StoredLoan.columns)
    from loans as loan join books as book on book.id = loan.book_id \(StoredLoan.borrower)
    where loan.owner_id = $1 and loan.state in ('ACCEPTED', 'BORROWED') and loan.id < \(Bounds.before("$2"))
    order by loan.id desc
    limit $3
    """
  let owner: PersonID
  let before: LoanID?
  let limit: Int64

  package init(of owner: PersonID, before: LoanID?, limit: Int64) {
    self.owner = owner
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// A step that was taken ([LE-13]).
package struct HistoryEntry: Sendable {
  package let book: BookID
  package let number: Int64
  package let loan: LoanID
  /// `nil` when they deleted their account.
  package let actor: PersonID?
  package let step: Step
  /// `nil` when the loan began.
  package let previousState: LoanState?
  package let state: LoanState
  package let previousStatus: BookStatus
  package let status: BookStatus
  package let happenedAt: Instant

  static let columns = """
    book_id, number, loan_id, actor_id, step, previous_state, state, previous_status, status, happened_at
    """

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> HistoryEntry {
    let (book, number, loan): (BookID, Int64, LoanID) = (try row.next(), try row.next(), try row.next())
    let (actor, step, previous): (PersonID?, String, String?) = (try row.next(), try row.next(), try row.next())
    var previousState: LoanState?
    if let previous { previousState = try LoanState(column: previous) }
    return HistoryEntry(
      book: book, number: number, loan: loan, actor: actor, step: try Step(column: step), previousState: previousState,
      state: try LoanState(column: try row.next()), previousStatus: try BookStatus(column: try row.next()),
      status: try BookStatus(column: try row.next()), happenedAt: try row.next())
  }
}

/// A page of what happened to a book, the newest first.
package struct HistoryOfBook: Statement {
  package static let sql = """
    select \(HistoryEntry.columns) from history
    where book_id = $1 and number < coalesce($2, 9223372036854775807)
    order by number desc
    limit $3
    """
  let book: BookID
  let before: Int64?
  let limit: Int64

  package init(_ book: BookID, before: Int64?, limit: Int64) {
    self.book = book
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> HistoryEntry { try .decode(row) }
}

/// A page of what happened to a loan, the newest first.
package struct HistoryOfLoan: Statement {
  package static let sql = """
    select \(HistoryEntry.columns) from history
    where loan_id = $1 and number < coalesce($2, 9223372036854775807)
    order by number desc
    limit $3
    """
  let loan: LoanID
  let before: Int64?
  let limit: Int64

  package init(_ loan: LoanID, before: Int64?, limit: Int64) {
    self.loan = loan
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(loan)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> HistoryEntry { try .decode(row) }
}
