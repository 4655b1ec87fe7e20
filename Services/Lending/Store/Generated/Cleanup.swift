// Made from cleanup.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import LendingDomain
import Postgres

/// Some of the books with open requests or loans, or stored data, of a user, in the order of their ids.
package struct BooksOfDeletedAccount: Statement {
  package typealias Row = BookID
  package static let sql = """
    select id as book_id from (
      (select id from books where owner_id = $1 order by id limit $2)
      union
      (select distinct book_id from loans where owner_id = $1 order by book_id limit $2)
      union
      (select distinct book_id from loans where borrower_id = $1 order by book_id limit $2)
      union
      (select distinct book_id from history where actor_id = $1 order by book_id limit $2)
    ) as found
    order by id
    limit $2
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some of the books with pending requests between two users of whom one has blocked the other, in the order of their ids ([C-10]); none if the
/// block was removed meanwhile.
package struct BooksBetween: Statement {
  package typealias Row = BookID
  package static let sql = """
    select book_id as book_id from (
      select book_id from loans where borrower_id = $1 and state = 'PENDING' and owner_id = $2
      union
      select book_id from loans where borrower_id = $2 and state = 'PENDING' and owner_id = $1
    ) as found
    where exists (select from blocks where blocker_id = $1 and blocked_id = $2)
    order by book_id
    limit $3
    """
  package let blockerID: UserID
  package let blockedID: UserID
  package let limit: Int64

  package init(blockerID: UserID, blockedID: UserID, limit: Int64) {
    self.blockerID = blockerID
    self.blockedID = blockedID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
    p.append(blockedID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some of the pending requests between users of whom one has blocked the other, in the order of their books' ids ([C-10]).
package struct BlockedRequests: Statement {
  package struct Row: Sendable {
    package let bookID: BookID
    package let blockerID: UserID
    package let blockedID: UserID
  }

  package static let sql = """
    select book_id as book_id, blocker_id as blocker_id, blocked_id as blocked_id from (
      select loan.book_id, block.blocker_id, block.blocked_id
      from blocks as block
      join loans as loan on loan.borrower_id = block.blocked_id and loan.owner_id = block.blocker_id
      where loan.state = 'PENDING'
      union
      select loan.book_id, block.blocker_id, block.blocked_id
      from blocks as block
      join loans as loan on loan.borrower_id = block.blocker_id and loan.owner_id = block.blocked_id
      where loan.state = 'PENDING'
    ) as found
    order by book_id, blocker_id, blocked_id
    limit $1
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(bookID: try row.next(), blockerID: try row.next(), blockedID: try row.next())
  }
}

/// The pending, accepted and borrowed loans of a user, as owner or borrower, of a book that the transaction has locked.
package struct OpenLoans: Statement {
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
    where loan.book_id = $1 and (loan.owner_id = $2 or loan.borrower_id = $2)
      and loan.state in ('PENDING', 'ACCEPTED', 'BORROWED')
    order by loan.id
    """
  package let bookID: BookID
  package let userID: UserID

  package init(bookID: BookID, userID: UserID) {
    self.bookID = bookID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredLoan(LoanColumns.decode(row))
  }
}

/// Some of the borrowed loans of which a party confirmed the return and a party has deleted the account, in the order of their books' ids.
package struct ReturnsToComplete: Statement {
  package typealias Row = LoanID
  package static let pace = Pace.slow
  package static let sql = """
    select id from loans
    where state = 'BORROWED' and (owner_id is null or borrower_id is null)
      and (returned_by_owner_at is not null or returned_by_borrower_at is not null)
    order by book_id
    limit $1
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a user who deleted the account from the history of a book.
package struct ForgetActor: Statement {
  package typealias Row = Void
  package static let sql = """
    update history set actor_id = null where actor_id = $1 and book_id = $2
    """
  package let userID: UserID
  package let bookID: BookID

  package init(userID: UserID, bookID: BookID) {
    self.userID = userID
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(bookID)
  }
}

/// Removes a user who deleted the account, and the user's texts, from the loans of a book.
package struct ForgetParty: Statement {
  package typealias Row = Void
  package static let sql = """
    update loans
    set
      owner_id = nullif(owner_id, $1), borrower_id = nullif(borrower_id, $1),
      comment = case when borrower_id = $1 then null else comment end,
      commented_at = case when borrower_id = $1 then null else commented_at end,
      owner_username = case when owner_id = $1 then '' else owner_username end,
      description = case when owner_id = $1 then '' else description end,
      pickup_latitude = case when owner_id = $1 then null else pickup_latitude end,
      pickup_longitude = case when owner_id = $1 then null else pickup_longitude end,
      pickup_country = case when owner_id = $1 then null else pickup_country end,
      pickup_city = case when owner_id = $1 then null else pickup_city end,
      pickup_address = case when owner_id = $1 then null else pickup_address end,
      pickup_at = case when owner_id = $1 then null else pickup_at end,
      found_latitude = case when owner_id = $1 then null else found_latitude end,
      found_longitude = case when owner_id = $1 then null else found_longitude end,
      found_precision_m = case when owner_id = $1 then null else found_precision_m end,
      found_exactness = case when owner_id = $1 then null else found_exactness end,
      nearby_name = case when owner_id = $1 then null else nearby_name end,
      nearby_city = case when owner_id = $1 then null else nearby_city end,
      nearby_country = case when owner_id = $1 then null else nearby_country end,
      nearby_m = case when owner_id = $1 then null else nearby_m end
    where book_id = $2 and (owner_id = $1 or borrower_id = $1)
    """
  package let userID: UserID
  package let bookID: BookID

  package init(userID: UserID, bookID: BookID) {
    self.userID = userID
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(bookID)
  }
}

/// Removes the owner of a book who deleted the account; an available book is retired.
package struct ForgetOwner: Statement {
  package typealias Row = Void
  package static let sql = """
    update books
    set
      owner_id = null, description = '',
      retired_at = case when status = 'AVAILABLE' then coalesce(retired_at, $1) end
    where id = $2 and owner_id = $3
    """
  package let now: Instant
  package let bookID: BookID
  package let userID: UserID

  package init(now: Instant, bookID: BookID, userID: UserID) {
    self.now = now
    self.bookID = bookID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(bookID)
    p.append(userID)
  }
}

/// Removes the loan from a book if both parties deleted their accounts: it cannot be returned.
package struct ReleaseOrphan: Statement {
  package typealias Row = Void
  package static let sql = """
    update books set status = 'AVAILABLE', loan_id = null
    where id = $1 and owner_id is null
      and exists (select from loans where loans.id = books.loan_id and owner_id is null and borrower_id is null)
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }
}

/// Deletes the loans of a book whose parties both deleted their accounts, with their history.
package struct DeleteOrphans: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from loans where book_id = $1 and owner_id is null and borrower_id is null
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }
}

/// Deletes a book without owner and without loans.
package struct DeleteOrphan: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from books where id = $1 and owner_id is null and not exists (select from loans where book_id = $1)
    """
  package let bookID: BookID

  package init(bookID: BookID) {
    self.bookID = bookID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
  }
}
