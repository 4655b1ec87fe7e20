// Made from history.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import LendingDomain
import Postgres

/// An entry of the history: a step that was taken ([LE-13]).
package struct HistoryEntry: Sendable, RowDecodable {
  package let bookID: BookID
  package let number: Int64
  package let loanID: LoanID
  /// `nil` if the user deleted the account.
  package let actorID: UserID?
  package let step: Step
  /// `nil` for the step that began the loan.
  package let previousState: LoanState?
  package let state: LoanState
  package let previousStatus: BookStatus
  package let status: BookStatus
  package let happenedAt: Instant

  package init(
    bookID: BookID, number: Int64, loanID: LoanID, actorID: UserID?, step: Step, previousState: LoanState?,
    state: LoanState, previousStatus: BookStatus, status: BookStatus, happenedAt: Instant) {
    self.bookID = bookID
    self.number = number
    self.loanID = loanID
    self.actorID = actorID
    self.step = step
    self.previousState = previousState
    self.state = state
    self.previousStatus = previousStatus
    self.status = status
    self.happenedAt = happenedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> HistoryEntry {
    HistoryEntry(
      bookID: try row.next(), number: try row.next(), loanID: try row.next(), actorID: try row.next(),
      step: try row.next(), previousState: try row.next(), state: try row.next(), previousStatus: try row.next(),
      status: try row.next(), happenedAt: try row.next())
  }
}

/// A page of the history of a book, the newest first.
package struct HistoryOfBook: Statement {
  package typealias Row = HistoryEntry
  package static let sql = """
    select book_id, number, loan_id, actor_id, step, previous_state, state, previous_status, status, happened_at from history
    where book_id = $1 and number < coalesce($2, 9223372036854775807)
    order by number desc
    limit $3
    """
  package let bookID: BookID
  /// The number of the last entry of the previous page.
  package let before: Int64?
  package let limit: Int64

  package init(bookID: BookID, before: Int64?, limit: Int64) {
    self.bookID = bookID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try HistoryEntry.decode(row)
  }
}

/// A page of the history of a loan, the newest first.
package struct HistoryOfLoan: Statement {
  package typealias Row = HistoryEntry
  package static let sql = """
    select book_id, number, loan_id, actor_id, step, previous_state, state, previous_status, status, happened_at from history
    where loan_id = $1 and number < coalesce($2, 9223372036854775807)
    order by number desc
    limit $3
    """
  package let loanID: LoanID
  /// The number of the last entry of the previous page.
  package let before: Int64?
  package let limit: Int64

  package init(loanID: LoanID, before: Int64?, limit: Int64) {
    self.loanID = loanID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(loanID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try HistoryEntry.decode(row)
  }
}

/// How often the pickup location of a loan was changed after a moment ([LE-8]).
package struct CountPickupChanges: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select count(*) as count from history
    where loan_id = $1 and step = 'CHANGE_PICKUP' and happened_at > $2
    """
  package let loanID: LoanID
  package let since: Instant

  package init(loanID: LoanID, since: Instant) {
    self.loanID = loanID
    self.since = since
  }

  package func bind(_ p: inout Parameters) {
    p.append(loanID)
    p.append(since)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
