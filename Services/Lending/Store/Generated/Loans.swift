// Made from loans.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import LendingDomain
import Postgres

/// The columns of a row `loan` and its `book`, joined by {{loan_usernames}}.
package struct LoanColumns: Sendable {
  package let id: LoanID
  package let bookID: BookID
  package let ownerID: UserID?
  package let ownerUsername: String
  package let borrowerID: UserID?
  package let borrowerUsername: String
  package let isbn: ISBN
  package let title: String
  package let description: String
  package let state: LoanState
  package let bookStatus: BookStatus
  package let pickupLatitude: Double?
  package let pickupLongitude: Double?
  package let pickupCountry: String?
  package let pickupCity: String?
  package let pickupAddress: String?
  package let pickupAt: Instant?
  package let foundLatitude: Double?
  package let foundLongitude: Double?
  package let foundPrecisionM: Int32?
  package let foundExactness: Exactness?
  package let nearbyName: String?
  package let nearbyCity: String?
  package let nearbyCountry: String?
  package let nearbyM: Int32?
  package let dueOn: CivilDate?
  package let timeZone: String?
  package let reminderAt: Instant?
  package let dueEndsAt: Instant?
  package let handedByOwnerAt: Instant?
  package let handedByBorrowerAt: Instant?
  package let returnedByOwnerAt: Instant?
  package let returnedByBorrowerAt: Instant?
  package let recalledAt: Instant?
  package let comment: String?
  package let requestedAt: Instant
  package let updatedAt: Instant

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> LoanColumns {
    LoanColumns(
      id: try row.next(), bookID: try row.next(), ownerID: try row.next(), ownerUsername: try row.next(),
      borrowerID: try row.next(), borrowerUsername: try row.next(), isbn: try row.next(), title: try row.next(),
      description: try row.next(), state: try row.next(), bookStatus: try row.next(), pickupLatitude: try row.next(),
      pickupLongitude: try row.next(), pickupCountry: try row.next(), pickupCity: try row.next(),
      pickupAddress: try row.next(), pickupAt: try row.next(), foundLatitude: try row.next(),
      foundLongitude: try row.next(), foundPrecisionM: try row.next(), foundExactness: try row.next(),
      nearbyName: try row.next(), nearbyCity: try row.next(), nearbyCountry: try row.next(), nearbyM: try row.next(),
      dueOn: try row.next(), timeZone: try row.next(), reminderAt: try row.next(), dueEndsAt: try row.next(),
      handedByOwnerAt: try row.next(), handedByBorrowerAt: try row.next(), returnedByOwnerAt: try row.next(),
      returnedByBorrowerAt: try row.next(), recalledAt: try row.next(), comment: try row.next(),
      requestedAt: try row.next(), updatedAt: try row.next())
  }
}

/// A loan. If the transaction has locked its book, the loan does not change until the end of the transaction.
package struct LoanByID: SingleRowStatement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at from loans as loan join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id where loan.id = $1
    """
  package let loanID: LoanID

  package init(loanID: LoanID) {
    self.loanID = loanID
  }

  package func bind(_ p: inout Parameters) {
    p.append(loanID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// Stores a decision about a loan of a book that the transaction has locked ([LE-13]); no row if the loan's state has changed meanwhile.
package struct MoveLoan: SingleRowStatement {
  package typealias Row = StoredLoan
  package static let sql = """
    with book as (
      update books
      set status = $1, waiting = $2, steps = steps + 1,
        loan_id = case when $1 in ('ACCEPTED', 'BORROWED') then $3::uuid end
      from loans as current
      where current.id = $3 and current.state is not distinct from $4
        and books.id = current.book_id and books.status is not distinct from $5
      returning books.*
    ), loan as (
      update loans
      set state = $6, updated_at = $7,
        pickup_latitude = case when $8 then $9 else pickup_latitude end,
        pickup_longitude = case when $8 then $10 else pickup_longitude end,
        pickup_country = case when $8 then $11 else pickup_country end,
        pickup_city = case when $8 then $12 else pickup_city end,
        pickup_address = case when $8 then $13 else pickup_address end,
        pickup_at = case when $8 then $14 else pickup_at end,
        found_latitude = case when $8 then $15 else found_latitude end,
        found_longitude = case when $8 then $16 else found_longitude end,
        found_precision_m = case when $8 then $17 else found_precision_m end,
        found_exactness = case when $8 then $18 else found_exactness end,
        nearby_name = case when $8 then $19 else nearby_name end,
        nearby_city = case when $8 then $20 else nearby_city end,
        nearby_country = case when $8 then $21 else nearby_country end,
        nearby_m = case when $8 then $22 else nearby_m end,
        due_on = coalesce($23, due_on), time_zone = coalesce($24, time_zone),
        reminder_at = coalesce($25, reminder_at), due_ends_at = coalesce($26, due_ends_at),
        handed_by_owner_at = coalesce(handed_by_owner_at, $27),
        handed_by_borrower_at = coalesce(handed_by_borrower_at, $28),
        returned_by_owner_at = coalesce(returned_by_owner_at, $29),
        returned_by_borrower_at = coalesce(returned_by_borrower_at, $30),
        recalled_at = coalesce(recalled_at, $31)
      from book where loans.id = $3
      returning loans.*
    ), entry as (
      insert into history (
        book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
      )
      select
        book.id, book.steps, $3, $32, $33, $34, $4, $6, $5, $1, $7
      from book
    )
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at from loan cross join book left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    """
  package let status: BookStatus
  package let waiting: Int32
  package let loanID: LoanID
  package let previousState: LoanState?
  package let previousStatus: BookStatus
  package let state: LoanState
  package let now: Instant
  /// Whether the pickup location is replaced.
  package let changesPickup: Bool
  package let pickupLatitude: Double?
  package let pickupLongitude: Double?
  package let pickupCountry: String?
  package let pickupCity: String?
  package let pickupAddress: String?
  package let pickupAt: Instant?
  package let foundLatitude: Double?
  package let foundLongitude: Double?
  package let foundPrecisionM: Int32?
  package let foundExactness: Exactness?
  package let nearbyName: String?
  package let nearbyCity: String?
  package let nearbyCountry: String?
  package let nearbyM: Int32?
  package let dueOn: CivilDate?
  package let timeZone: String?
  package let reminderAt: Instant?
  package let dueEndsAt: Instant?
  package let handedByOwnerAt: Instant?
  package let handedByBorrowerAt: Instant?
  package let returnedByOwnerAt: Instant?
  package let returnedByBorrowerAt: Instant?
  package let recalledAt: Instant?
  /// `nil` for a user who deleted the account.
  package let actorID: UserID?
  package let party: Party
  package let step: Step

  package init(
    status: BookStatus, waiting: Int32, loanID: LoanID, previousState: LoanState?, previousStatus: BookStatus,
    state: LoanState, now: Instant, changesPickup: Bool, pickupLatitude: Double?, pickupLongitude: Double?,
    pickupCountry: String?, pickupCity: String?, pickupAddress: String?, pickupAt: Instant?, foundLatitude: Double?,
    foundLongitude: Double?, foundPrecisionM: Int32?, foundExactness: Exactness?, nearbyName: String?,
    nearbyCity: String?, nearbyCountry: String?, nearbyM: Int32?, dueOn: CivilDate?, timeZone: String?,
    reminderAt: Instant?, dueEndsAt: Instant?, handedByOwnerAt: Instant?, handedByBorrowerAt: Instant?,
    returnedByOwnerAt: Instant?, returnedByBorrowerAt: Instant?, recalledAt: Instant?, actorID: UserID?, party: Party,
    step: Step) {
    self.status = status
    self.waiting = waiting
    self.loanID = loanID
    self.previousState = previousState
    self.previousStatus = previousStatus
    self.state = state
    self.now = now
    self.changesPickup = changesPickup
    self.pickupLatitude = pickupLatitude
    self.pickupLongitude = pickupLongitude
    self.pickupCountry = pickupCountry
    self.pickupCity = pickupCity
    self.pickupAddress = pickupAddress
    self.pickupAt = pickupAt
    self.foundLatitude = foundLatitude
    self.foundLongitude = foundLongitude
    self.foundPrecisionM = foundPrecisionM
    self.foundExactness = foundExactness
    self.nearbyName = nearbyName
    self.nearbyCity = nearbyCity
    self.nearbyCountry = nearbyCountry
    self.nearbyM = nearbyM
    self.dueOn = dueOn
    self.timeZone = timeZone
    self.reminderAt = reminderAt
    self.dueEndsAt = dueEndsAt
    self.handedByOwnerAt = handedByOwnerAt
    self.handedByBorrowerAt = handedByBorrowerAt
    self.returnedByOwnerAt = returnedByOwnerAt
    self.returnedByBorrowerAt = returnedByBorrowerAt
    self.recalledAt = recalledAt
    self.actorID = actorID
    self.party = party
    self.step = step
  }

  package func bind(_ p: inout Parameters) {
    p.append(status)
    p.append(waiting)
    p.append(loanID)
    p.append(previousState)
    p.append(previousStatus)
    p.append(state)
    p.append(now)
    p.append(changesPickup)
    p.append(pickupLatitude)
    p.append(pickupLongitude)
    p.append(pickupCountry)
    p.append(pickupCity)
    p.append(pickupAddress)
    p.append(pickupAt)
    p.append(foundLatitude)
    p.append(foundLongitude)
    p.append(foundPrecisionM)
    p.append(foundExactness)
    p.append(nearbyName)
    p.append(nearbyCity)
    p.append(nearbyCountry)
    p.append(nearbyM)
    p.append(dueOn)
    p.append(timeZone)
    p.append(reminderAt)
    p.append(dueEndsAt)
    p.append(handedByOwnerAt)
    p.append(handedByBorrowerAt)
    p.append(returnedByOwnerAt)
    p.append(returnedByBorrowerAt)
    p.append(recalledAt)
    p.append(actorID)
    p.append(party)
    p.append(step)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// Stores the comment of a borrower on a loan of a book that the transaction has locked; no row if there is a comment already ([LE-10]).
package struct AddComment: SingleRowStatement {
  package typealias Row = LoanID
  package static let sql = """
    update loans set comment = $1, commented_at = $2, updated_at = $2 where id = $3 and comment is null
    returning id
    """
  package let comment: String
  package let now: Instant
  package let loanID: LoanID

  package init(comment: String, now: Instant, loanID: LoanID) {
    self.comment = comment
    self.now = now
    self.loanID = loanID
  }

  package func bind(_ p: inout Parameters) {
    p.append(comment)
    p.append(now)
    p.append(loanID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of the comments on returns whose authors have an account, by the ids of the loans ([LE-10]).
package struct ReturnCommentsAfter: Statement {
  package struct Row: Sendable {
    package let loanID: LoanID
    package let bookID: BookID
    package let authorID: UserID
    package let text: String
    package let createdAt: Instant
  }

  package static let pace = Pace.slow
  package static let sql = """
    select
      loan.id as loan_id, loan.book_id, loan.borrower_id as author_id, loan.comment as text,
      coalesce(loan.commented_at, loan.returned_by_borrower_at) as created_at
    from loans as loan join users as borrower on borrower.id = loan.borrower_id and not borrower.deleted
    where loan.comment is not null and loan.id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid)
    order by loan.id
    limit $2
    """
  /// The last loan of the previous page.
  package let after: LoanID?
  package let limit: Int64

  package init(after: LoanID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      loanID: try row.next(), bookID: try row.next(), authorID: try row.next(), text: try row.next(),
      createdAt: try row.next())
  }
}

/// Declines every request but one for a book that the transaction has locked, before that one is accepted ([LE-7]); a row for each of them,
/// with the borrower to notify.
package struct DeclineOthers: Statement {
  package struct Row: Sendable {
    package let loanID: LoanID
    package let borrowerID: UserID?
  }

  package static let sql = """
    with declined as (
      update loans set state = $1, updated_at = $2
      where book_id = $3 and state = 'PENDING' and id <> $4
      returning id, borrower_id
    ), numbered as (
      select id, borrower_id, row_number() over (order by id) as place from declined
    ), book as (
      update books
      set waiting = waiting - (select count(*)::integer from numbered), steps = steps + (select count(*) from numbered)
      where id = $3
      returning steps
    ), entry as (
      insert into history (
        book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
      )
      select
        $3, book.steps - (select count(*) from numbered) + numbered.place, numbered.id, $5, $6, $7, $8,
        $1, $9, $10, $2
      from numbered cross join book
    )
    select id as loan_id, borrower_id from numbered order by place
    """
  package let state: LoanState
  package let now: Instant
  package let bookID: BookID
  package let acceptedID: LoanID
  package let actorID: UserID
  package let party: Party
  package let step: Step
  /// That of pending requests, which the statement selects by name, as their index does.
  package let previousState: LoanState?
  package let previousStatus: BookStatus
  package let status: BookStatus

  package init(
    state: LoanState, now: Instant, bookID: BookID, acceptedID: LoanID, actorID: UserID, party: Party, step: Step,
    previousState: LoanState?, previousStatus: BookStatus, status: BookStatus) {
    self.state = state
    self.now = now
    self.bookID = bookID
    self.acceptedID = acceptedID
    self.actorID = actorID
    self.party = party
    self.step = step
    self.previousState = previousState
    self.previousStatus = previousStatus
    self.status = status
  }

  package func bind(_ p: inout Parameters) {
    p.append(state)
    p.append(now)
    p.append(bookID)
    p.append(acceptedID)
    p.append(actorID)
    p.append(party)
    p.append(step)
    p.append(previousState)
    p.append(previousStatus)
    p.append(status)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(loanID: try row.next(), borrowerID: try row.next())
  }
}

/// Declines every request for a book that the transaction has locked, and withholds it ([CA-29]); a row for each of them, with the borrower to
/// notify.
package struct DeclineAll: Statement {
  package struct Row: Sendable {
    package let loanID: LoanID
    package let borrowerID: UserID?
  }

  package static let sql = """
    with declined as (
      update loans set state = $1, updated_at = $2
      where book_id = $3 and state = 'PENDING'
      returning id, borrower_id
    ), numbered as (
      select id, borrower_id, row_number() over (order by id) as place, count(*) over () as number from declined
    ), book as (
      update books
      set status = $4, waiting = $5, held_at = $2, steps = steps + (select count(*) from numbered)
      where id = $3
      returning steps
    ), entry as (
      insert into history (
        book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
      )
      select
        $3, book.steps - numbered.number + numbered.place, numbered.id, $6, $7, $8, $9, $1,
        $10, case when numbered.place = numbered.number then $4 else $11 end, $2
      from numbered cross join book
    )
    select id as loan_id, borrower_id from numbered order by place
    """
  package let state: LoanState
  package let now: Instant
  package let bookID: BookID
  /// The book's status after the last of them.
  package let lastStatus: BookStatus
  /// The pending requests after it.
  package let waiting: Int32
  package let actorID: UserID
  package let party: Party
  package let step: Step
  /// That of pending requests, which the statement selects by name, as their index does.
  package let previousState: LoanState?
  package let previousStatus: BookStatus
  package let status: BookStatus

  package init(
    state: LoanState, now: Instant, bookID: BookID, lastStatus: BookStatus, waiting: Int32, actorID: UserID,
    party: Party, step: Step, previousState: LoanState?, previousStatus: BookStatus, status: BookStatus) {
    self.state = state
    self.now = now
    self.bookID = bookID
    self.lastStatus = lastStatus
    self.waiting = waiting
    self.actorID = actorID
    self.party = party
    self.step = step
    self.previousState = previousState
    self.previousStatus = previousStatus
    self.status = status
  }

  package func bind(_ p: inout Parameters) {
    p.append(state)
    p.append(now)
    p.append(bookID)
    p.append(lastStatus)
    p.append(waiting)
    p.append(actorID)
    p.append(party)
    p.append(step)
    p.append(previousState)
    p.append(previousStatus)
    p.append(status)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(loanID: try row.next(), borrowerID: try row.next())
  }
}

/// A page of a borrower's requests, the newest first ([LE-2]).
package struct LoansOfBorrower: Statement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at
    from (select * from loans where borrower_id = $1 and id < coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) order by id desc limit $3) as loan
    join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    order by loan.id desc
    """
  package let borrowerID: UserID
  /// The last loan of the previous page.
  package let before: LoanID?
  package let limit: Int64

  package init(borrowerID: UserID, before: LoanID?, limit: Int64) {
    self.borrowerID = borrowerID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(borrowerID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// A page of a borrower's requests in one state, the newest first ([LE-2], [LE-11]).
package struct LoansOfBorrowerInState: Statement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at
    from (select * from loans where borrower_id = $1 and state = $2 and id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) order by id desc limit $4) as loan
    join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    order by loan.id desc
    """
  package let borrowerID: UserID
  package let state: LoanState
  /// The last loan of the previous page.
  package let before: LoanID?
  package let limit: Int64

  package init(borrowerID: UserID, state: LoanState, before: LoanID?, limit: Int64) {
    self.borrowerID = borrowerID
    self.state = state
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(borrowerID)
    p.append(state)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// A page of the pending requests for a book, the oldest first ([LE-3]).
package struct RequestsForBook: Statement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at from loans as loan join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    where loan.book_id = $1 and loan.state = 'PENDING' and loan.id > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
    order by loan.id
    limit $3
    """
  package let bookID: BookID
  /// The last loan of the previous page.
  package let after: LoanID?
  package let limit: Int64

  package init(bookID: BookID, after: LoanID?, limit: Int64) {
    self.bookID = bookID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// A page of the requests for a book that are not pending any more, and the loans that some became, the newest first ([LE-3]).
package struct AnsweredRequestsForBook: Statement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at
    from (select * from loans where book_id = $1 and state <> 'PENDING' and id < coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) order by id desc limit $3) as loan
    join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    order by loan.id desc
    """
  package let bookID: BookID
  /// The last loan of the previous page.
  package let before: LoanID?
  package let limit: Int64

  package init(bookID: BookID, before: LoanID?, limit: Int64) {
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
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// The accepted and borrowed loans of a user, as owner or borrower, of books with an ISBN, the oldest first ([LE-16]).
package struct ScannedLoans: Statement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at from loans as loan join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    where loan.id in (
      select books.loan_id from books where books.owner_id = $1 and books.isbn = $2 and books.loan_id is not null
      union all
      select borrowed.id from loans as borrowed join books on books.id = borrowed.book_id and books.isbn = $2
      where borrowed.borrower_id = $1 and borrowed.state in ('ACCEPTED', 'BORROWED')
    )
    order by loan.id
    limit $3
    """
  package let userID: UserID
  package let isbn: ISBN
  package let limit: Int64

  package init(userID: UserID, isbn: ISBN, limit: Int64) {
    self.userID = userID
    self.isbn = isbn
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(isbn)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// What changed in a user's requests and loans, as owner or borrower, since a place in the order of transactions ([C-11]). Nothing is read
/// from the oldest transaction on that is still open: what it changes comes later.
package struct ChangedLoans: Statement {
  package struct Row: Sendable {
    package let loanID: LoanID
    /// The transaction of the change.
    package let transaction: Int64
  }

  package static let sql = """
    select changed.loan_id as loan_id, changed.changed_in::text::bigint as transaction
    from (
      (
        select id as loan_id, changed_in from loans
        where owner_id = $1 and (changed_in, id) > (($2::bigint)::text::xid8, $3)
          and changed_in < (select (event_log.transaction_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_log)
        order by changed_in, id
        limit $4
      )
      union all
      (
        select id as loan_id, changed_in from loans
        where borrower_id = $1 and (changed_in, id) > (($2::bigint)::text::xid8, $3)
          and changed_in < (select (event_log.transaction_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_log)
        order by changed_in, id
        limit $4
      )
    ) as changed
    order by changed.changed_in, changed.loan_id
    limit $4
    """
  package let userID: UserID
  package let afterTransaction: Int64
  package let afterLoanID: UUID7
  package let limit: Int64

  package init(userID: UserID, afterTransaction: Int64, afterLoanID: UUID7, limit: Int64) {
    self.userID = userID
    self.afterTransaction = afterTransaction
    self.afterLoanID = afterLoanID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(afterTransaction)
    p.append(afterLoanID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(loanID: try row.next(), transaction: try row.next())
  }
}

/// What the numbers of changes are of, which another database has, and this one once it was restored: what was being changed when it was
/// dumped is unknown to it, below numbers that it knows.
package struct ChangeNumbering: SingleRowStatement {
  package struct Row: Sendable {
    package let epoch: Int64
    /// Whether a place in the order of transactions belongs to a database that was restored to an earlier moment since.
    package let isLost: Bool
  }

  package static let sql = """
    select transaction_offset as epoch, exists (
      select from event_epochs
      where event_epochs.ended_transaction_id < ($1::bigint)::text::xid8 and event_epochs.next_transaction_id > ($1::bigint)::text::xid8
    ) as is_lost from event_log
    """
  package let transaction: Int64

  package init(transaction: Int64) {
    self.transaction = transaction
  }

  package func bind(_ p: inout Parameters) {
    p.append(transaction)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(epoch: try row.next(), isLost: try row.next())
  }
}

/// Some loans, in no particular order.
package struct LoansByIDs: Statement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at from loans as loan join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id where loan.id = any($1::uuid[])
    """
  package let loanIDs: [LoanID]

  package init(loanIDs: [LoanID]) {
    self.loanIDs = loanIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(loanIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// A page of the accepted and borrowed loans of an owner's books, the newest first ([LE-11]).
package struct LentBooks: Statement {
  package typealias Row = StoredLoan
  package static let sql = """
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at from loans as loan join books as book on book.id = loan.book_id left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    where loan.owner_id = $1 and loan.state in ('ACCEPTED', 'BORROWED') and loan.id < coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by loan.id desc
    limit $3
    """
  package let ownerID: UserID
  /// The last loan of the previous page.
  package let before: LoanID?
  package let limit: Int64

  package init(ownerID: UserID, before: LoanID?, limit: Int64) {
    self.ownerID = ownerID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// What a decision needs to know about a user who requests a book that the transaction has locked.
package struct AskerOfBook: SingleRowStatement {
  package struct Row: Sendable {
    package let waitsForBook: Bool
    /// The user's pending requests, counted up to `counted`.
    package let waiting: Int64
    /// The user's requests for this book since `since`, without loans that were returned.
    package let asked: Int64
    /// The user's requests since `since`, for any book, that were withdrawn, counted up to `counted_withdrawn`.
    package let withdrawn: Int64
    package let isBlocked: Bool
  }

  package static let sql = """
    select
      exists (
        select from loans where book_id = $1 and borrower_id = $2 and state = 'PENDING'
      ) as waits_for_book,
      (
        select count(*) from (
          select from loans where borrower_id = $2 and state = 'PENDING' limit $3
        ) as waiting
      ) as waiting,
      (
        select count(*) from loans
        where borrower_id = $2 and id > $4 and book_id = $1 and state <> 'RETURNED'
      ) as asked,
      (
        select count(*) from (
          select from loans where borrower_id = $2 and state = 'WITHDRAWN' and id > $4 limit $5
        ) as withdrawn
      ) as withdrawn,
      exists (
      select from blocks
      where (blocker_id = $2 and blocked_id = $6) or (blocker_id = $6 and blocked_id = $2)
    ) as is_blocked
    """
  package let bookID: BookID
  package let userID: UserID
  package let counted: Int64
  package let since: LoanID
  package let countedWithdrawn: Int64
  package let ownerID: UserID?

  package init(
    bookID: BookID, userID: UserID, counted: Int64, since: LoanID, countedWithdrawn: Int64, ownerID: UserID?) {
    self.bookID = bookID
    self.userID = userID
    self.counted = counted
    self.since = since
    self.countedWithdrawn = countedWithdrawn
    self.ownerID = ownerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(userID)
    p.append(counted)
    p.append(since)
    p.append(countedWithdrawn)
    p.append(ownerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      waitsForBook: try row.next(), waiting: try row.next(), asked: try row.next(), withdrawn: try row.next(),
      isBlocked: try row.next())
  }
}

/// Stores the decision that begins a request, with a copy of the book's details ([LE-1], [LE-13]).
///
/// The transaction has locked the book.
package struct InsertLoan: SingleRowStatement {
  package typealias Row = StoredLoan
  package static let sql = """
    with book as (
      update books set status = $1, waiting = $2, steps = steps + 1 where id = $3 returning *
    ), loan as (
      insert into loans (
        id, book_id, owner_id, borrower_id, state, title, description, owner_username, requested_at, updated_at
      )
      select
        $4, book.id, book.owner_id, $5, $6, book.title, book.description,
        coalesce(owner.username, ''), $7, $7
      from book left join users as owner on owner.id = book.owner_id
      returning *
    ), entry as (
      insert into history (
        book_id, number, loan_id, actor_id, party, step, state, previous_status, status, happened_at
      )
      select book.id, book.steps, $4, $5, $8, $9, $6, $10, book.status, $7 from book
    )
    select loan.id, loan.book_id, loan.owner_id,
    coalesce(nullif(loan.owner_username, ''), owner.username, '') as owner_username,
    loan.borrower_id, coalesce(borrower.username, '') as borrower_username,
    book.isbn as isbn, loan.title as title, loan.description as description, loan.state as state, book.status as book_status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
    loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
    loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at from loan cross join book left join users as owner on owner.id = loan.owner_id
    left join users as borrower on borrower.id = loan.borrower_id
    """
  package let status: BookStatus
  package let waiting: Int32
  package let bookID: BookID
  package let loanID: LoanID
  package let borrowerID: UserID
  package let state: LoanState
  package let now: Instant
  package let party: Party
  package let step: Step
  package let previousStatus: BookStatus

  package init(
    status: BookStatus, waiting: Int32, bookID: BookID, loanID: LoanID, borrowerID: UserID, state: LoanState,
    now: Instant, party: Party, step: Step, previousStatus: BookStatus) {
    self.status = status
    self.waiting = waiting
    self.bookID = bookID
    self.loanID = loanID
    self.borrowerID = borrowerID
    self.state = state
    self.now = now
    self.party = party
    self.step = step
    self.previousStatus = previousStatus
  }

  package func bind(_ p: inout Parameters) {
    p.append(status)
    p.append(waiting)
    p.append(bookID)
    p.append(loanID)
    p.append(borrowerID)
    p.append(state)
    p.append(now)
    p.append(party)
    p.append(step)
    p.append(previousStatus)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// The moments of a due date in a time zone ([LE-12]), by the same function as those of repeating jobs: a local time that occurs twice is the
/// first of both, and for one that is skipped it is the moment after the gap.
package struct DueCalendar: SingleRowStatement {
  package struct Row: Sendable {
    /// The present day in the zone.
    package let today: CivilDate
    package let reminderAt: Instant
    package let endsAt: Instant
  }

  package static let sql = """
    select
      ($1::timestamptz at time zone $2)::date as today,
      coalesce(
        job_occurrence($3::date - 1, $4 * 60, $2),
        job_occurrence($3::date - 2, $4 * 60, $2)
      ) as reminder_at,
      coalesce(job_occurrence($3::date + 1, 0, $2), job_occurrence($3::date + 2, 0, $2)) as ends_at
    """
  package let now: Instant
  package let zone: String
  package let day: CivilDate
  package let reminderHour: Int32

  package init(now: Instant, zone: String, day: CivilDate, reminderHour: Int32) {
    self.now = now
    self.zone = zone
    self.day = day
    self.reminderHour = reminderHour
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(zone)
    p.append(day)
    p.append(reminderHour)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(today: try row.next(), reminderAt: try row.next(), endsAt: try row.next())
  }
}

/// When the last day of a loan begins, by the same function as ``DueCalendar``.
package struct DueDayStart: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    select coalesce(job_occurrence($1::date, 0, $2), job_occurrence($1::date + 1, 0, $2)) as starts_at
    """
  package let day: CivilDate
  package let zone: String

  package init(day: CivilDate, zone: String) {
    self.day = day
    self.zone = zone
  }

  package func bind(_ p: inout Parameters) {
    p.append(day)
    p.append(zone)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
