import Blocks
import Identifiers
import LendingDomain
import Postgres

/// What a decision needs to know about a user who requests a book that the transaction has locked.
package struct AskerOfBook: Statement {
  package static let sql = """
    select
      exists (select from loans where book_id = $1 and borrower_id = $2 and state = 'PENDING'),
      (
        select count(*) from (
          select from loans where borrower_id = $2 and state = 'PENDING' limit $4
        ) as waiting
      ),
      (select count(*) from loans where borrower_id = $2 and id > $5 and book_id = $1 and state <> 'RETURNED'),
      \(Visibility.isBlocked("$2", "$3"))
    """
  let book: BookID
  let user: UserID
  let owner: UserID?
  let now: Instant

  package init(_ user: UserID, of book: BookID, ownedBy owner: UserID?, now: Instant) {
    self.book = book
    self.user = user
    self.owner = owner
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(user)
    p.append(owner)
    p.append(Int64(BookStatus.maxWaiting))
    p.append(LoanID(yesterday))
  }

  /// A bound for the ids of requests made within a day: ids begin with their time in milliseconds (RFC 9562).
  private var yesterday: UUID7 {
    UUID7(high: UInt64(max(0, (now - .seconds(86_400)).microseconds / 1_000)) << 16, low: 0)
  }

  package struct Row: Sendable {
    let waitsForBook: Bool
    let waiting: Int64
    let asked: Int64
    let isBlocked: Bool

    /// The facts for a decision.
    package func asker(_ id: UserID) -> Asker {
      Asker(id: id, waitsForBook: waitsForBook, waiting: Int(waiting), asked: Int(asked), isBlocked: isBlocked)
    }
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(waitsForBook: try row.next(), waiting: try row.next(), asked: try row.next(), isBlocked: try row.next())
  }
}

/// Stores the decision that begins a request, with a copy of the book's details ([LE-1], [LE-13]).
///
/// The transaction has locked the book.
package struct InsertLoan: Statement {
  package static let sql = """
    with book as (
      update books set status = $4, waiting = $5, steps = steps + 1 where id = $2 returning *
    ), loan as (
      insert into loans (
        id, book_id, owner_id, borrower_id, state, title, description, owner_username, requested_at, updated_at
      )
      select $1, book.id, book.owner_id, $3, $6, book.title, book.description, coalesce(owner.username, ''), $8, $8
      from book left join people as owner on owner.id = book.owner_id
      returning *
    ), entry as (
      insert into history (
        book_id, number, loan_id, actor_id, party, step, state, previous_status, status, happened_at
      )
      select book.id, book.steps, $1, $3, $9, $10, $6, $7, book.status, $8 from book
    )
    select \(StoredLoan.columns) from loan cross join book \(StoredLoan.usernames)
    """
  let id: LoanID
  let book: BookID
  let borrower: UserID
  let decision: Decision
  let now: Instant

  package init(_ id: LoanID, of book: BookID, for borrower: UserID, _ decision: Decision, now: Instant) {
    self.id = id
    self.book = book
    self.borrower = borrower
    self.decision = decision
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(book)
    p.append(borrower)
    p.append(decision.status.rawValue)
    p.append(Int32(decision.waiting))
    p.append(decision.state.rawValue)
    p.append(decision.previousStatus.rawValue)
    p.append(now)
    p.append(decision.party.rawValue)
    p.append(decision.step.rawValue)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}
