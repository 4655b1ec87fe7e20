import Geography
import Identifiers
import LendingDomain
import Postgres

/// A loan. If the transaction has locked its book, the loan does not change until the end of the transaction.
package struct LoanByID: Statement {
  package static let sql = "\(StoredLoan.selection) where loan.id = $1"
  let id: LoanID

  package init(_ id: LoanID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// What a step stores with a loan, beside its state.
package struct TransitionDetails: Sendable {
  package var pickup: Pickup?
  package var due: DueDate?
  /// The party whose handover the step confirms.
  package var handedOverBy: Party?
  /// The party whose return the step confirms.
  package var returnedBy: Party?
  package var isRecall = false

  package init() {}
}

/// Stores a decision about a loan of a book that the transaction has locked ([LE-13]); no row if the loan's state has changed meanwhile.
package struct MoveLoan: Statement {
  // `is not distinct from` is no index condition, so only the ids are: a partial index of requested books, for example, would be scanned
  // entirely.
  package static let sql = """
    with book as (
      update books
      set status = $3, waiting = $4, steps = steps + 1,
        loan_id = case when $3 in ('ACCEPTED', 'BORROWED') then $1::uuid end
      from loans as current
      where current.id = $1 and current.state is not distinct from $6
        and books.id = current.book_id and books.status is not distinct from $5
      returning books.*
    ), loan as (
      update loans
      set state = $7, updated_at = $8,
        pickup_latitude = case when $11 then $12 else pickup_latitude end,
        pickup_longitude = case when $11 then $13 else pickup_longitude end,
        pickup_country = case when $11 then $14 else pickup_country end,
        pickup_city = case when $11 then $15 else pickup_city end,
        pickup_address = case when $11 then $16 else pickup_address end,
        due_on = coalesce($17, due_on), time_zone = coalesce($18, time_zone),
        reminder_at = coalesce($19, reminder_at), due_ends_at = coalesce($20, due_ends_at),
        handed_by_owner_at = coalesce(handed_by_owner_at, $21),
        handed_by_borrower_at = coalesce(handed_by_borrower_at, $22),
        returned_by_owner_at = coalesce(returned_by_owner_at, $23),
        returned_by_borrower_at = coalesce(returned_by_borrower_at, $24),
        recalled_at = coalesce(recalled_at, $25)
      from book where loans.id = $1
      returning loans.*
    ), entry as (
      insert into history (
        book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
      )
      select book.id, book.steps, $1, $2, $9, $10, $6, $7, $5, $3, $8 from book
    )
    select \(StoredLoan.columns) from loan cross join book \(StoredLoan.usernames)
    """
  let id: LoanID
  let actor: UserID?
  let decision: Decision
  let trace: TransitionDetails
  let now: Instant

  /// - Parameter actor: `nil` for a user who deleted the account.
  package init(_ id: LoanID, _ decision: Decision, by actor: UserID?, leaving trace: TransitionDetails, now: Instant) {
    self.id = id
    self.actor = actor
    self.decision = decision
    self.trace = trace
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(actor)
    p.append(decision.status.rawValue)
    p.append(Int32(decision.waiting))
    p.append(decision.previousStatus.rawValue)
    p.append(decision.previousState?.rawValue)
    p.append(decision.state.rawValue)
    p.append(now)
    p.append(decision.party.rawValue)
    p.append(decision.step.rawValue)
    trace.bind(&p, now: now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

extension TransitionDetails {
  /// Binds the columns from the pickup on, in the order of ``MoveLoan``.
  fileprivate func bind(_ p: inout Parameters, now: Instant) {
    var (point, address): (GeoPoint?, PickupAddress?) = (nil, nil)
    switch pickup {
    case .point(let chosen): point = chosen
    case .address(let given): address = given
    case nil: break
    }
    p.append(pickup != nil)
    p.append(point?.latitude)
    p.append(point?.longitude)
    p.append(address?.country)
    p.append(address?.city)
    p.append(address?.address)
    p.append(due?.day)
    p.append(due?.zone)
    p.append(due?.reminderAt)
    p.append(due?.endsAt)
    p.append(handedOverBy == .owner ? now : nil)
    p.append(handedOverBy == .borrower ? now : nil)
    p.append(returnedBy == .owner ? now : nil)
    p.append(returnedBy == .borrower ? now : nil)
    p.append(isRecall ? now : nil)
  }
}

/// Stores the comment of a borrower who confirmed the return before; no row if there is a comment already ([LE-10]).
package struct AddComment: Statement {
  package typealias Row = LoanID
  package static let sql = """
    update loans set comment = $2, commented_at = $3, updated_at = $3
    where id = $1 and comment is null and state in ('BORROWED', 'RETURNED') and returned_by_borrower_at is not null
    returning id
    """
  let id: LoanID
  let comment: ReturnComment
  let now: Instant

  package init(_ comment: ReturnComment, to id: LoanID, now: Instant) {
    self.id = id
    self.comment = comment
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(comment.text)
    p.append(now)
  }
}

/// A stored comment of a borrower on a return.
package struct StoredReturnComment: Sendable {
  package let loan: LoanID
  package let book: BookID
  package let author: UserID
  package let text: String
  package let createdAt: Instant
}

/// A page of the comments on returns whose authors have an account, by the ids of the loans ([LE-10]).
package struct ReturnCommentsAfter: Statement {
  package static let pace = Pace.slow
  package static let sql = """
    select loan.id, loan.book_id, loan.borrower_id, loan.comment, coalesce(loan.commented_at, loan.returned_by_borrower_at)
    from loans as loan join people as borrower on borrower.id = loan.borrower_id and not borrower.departed
    where loan.comment is not null and loan.id > \(Bounds.after("$1"))
    order by loan.id
    limit $2
    """
  let after: LoanID?
  let limit: Int64

  package init(_ after: LoanID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredReturnComment {
    StoredReturnComment(
      loan: try row.next(), book: try row.next(), author: try row.next(), text: try row.next(),
      createdAt: try row.next())
  }
}

/// Declines every request but one for a book that the transaction has locked, before that one is accepted ([LE-7]); a row for each of them,
/// with the borrower to notify.
package struct DeclineOthers: Statement {
  package struct Row: Sendable {
    package let id: LoanID
    package let borrower: UserID?
  }

  package static let sql = """
    with declined as (
      update loans set state = 'DECLINED', updated_at = $4
      where book_id = $1 and state = 'PENDING' and id <> $2
      returning id, borrower_id
    ), numbered as (
      select id, borrower_id, row_number() over (order by id) as place from declined
    ), book as (
      update books
      set waiting = waiting - (select count(*)::integer from numbered), steps = steps + (select count(*) from numbered)
      where id = $1
      returning steps
    ), entry as (
      insert into history (
        book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
      )
      select
        $1, book.steps - (select count(*) from numbered) + numbered.place, numbered.id, $3, 'OWNER', 'DECLINE', 'PENDING',
        'DECLINED', 'REQUESTED', 'REQUESTED', $4
      from numbered cross join book
    )
    select id, borrower_id from numbered order by place
    """
  let book: BookID
  let accepted: LoanID
  let actor: UserID
  let now: Instant

  package init(for book: BookID, but accepted: LoanID, by actor: UserID, now: Instant) {
    self.book = book
    self.accepted = accepted
    self.actor = actor
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(accepted)
    p.append(actor)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), borrower: try row.next())
  }
}
