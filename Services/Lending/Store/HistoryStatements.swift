import Identifiers
import LendingDomain
import Postgres

/// An entry of the history: a step that was taken ([LE-13]).
package struct HistoryEntry: Sendable {
  package let book: BookID
  package let number: Int64
  package let loan: LoanID
  /// `nil` if the user deleted the account.
  package let actor: UserID?
  package let step: Step
  /// `nil` for the step that began the loan.
  package let previousState: LoanState?
  package let state: LoanState
  package let previousStatus: BookStatus
  package let status: BookStatus
  package let happenedAt: Instant

  /// A page of the history, the newest first, as SQL.
  ///
  /// - Parameter subject: the column that selects it.
  fileprivate static func page(of subject: String) -> String {
    """
    select
      book_id, number, loan_id, actor_id, step, previous_state, state, previous_status, status, happened_at
    from history
    where \(subject) = $1 and number < coalesce($2, 9223372036854775807)
    order by number desc
    limit $3
    """
  }

  fileprivate static func decode(_ row: borrowing RowReader) throws(ColumnError) -> HistoryEntry {
    let (book, number, loan): (BookID, Int64, LoanID) = (try row.next(), try row.next(), try row.next())
    let (actor, step, previous): (UserID?, String, String?) = (try row.next(), try row.next(), try row.next())
    var previousState: LoanState?
    if let previous { previousState = try LoanState(column: previous) }
    return HistoryEntry(
      book: book, number: number, loan: loan, actor: actor, step: try Step(column: step), previousState: previousState,
      state: try LoanState(column: try row.next()), previousStatus: try BookStatus(column: try row.next()),
      status: try BookStatus(column: try row.next()), happenedAt: try row.next())
  }
}

/// A page of the history of a book, the newest first.
package struct HistoryOfBook: Statement {
  package static let sql = HistoryEntry.page(of: "book_id")
  let page: ListPage<BookID, Int64>

  package init(_ book: BookID, before: Int64?, limit: Int64) { page = ListPage(book, before, limit) }

  package func bind(_ p: inout Parameters) { page.bind(&p) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> HistoryEntry { try .decode(row) }
}

/// A page of the history of a loan, the newest first.
package struct HistoryOfLoan: Statement {
  package static let sql = HistoryEntry.page(of: "loan_id")
  let page: ListPage<LoanID, Int64>

  package init(_ loan: LoanID, before: Int64?, limit: Int64) { page = ListPage(loan, before, limit) }

  package func bind(_ p: inout Parameters) { page.bind(&p) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> HistoryEntry { try .decode(row) }
}
