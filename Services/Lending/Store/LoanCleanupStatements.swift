import Identifiers
import LendingDomain
import Postgres

/// Some of the books with open requests or loans, or stored data, of a user, in the order of their ids.
package struct BooksOfDeparted: Statement {
  package typealias Row = BookID
  package static let sql = """
    select id from (
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
  let user: UserID
  let limit: Int64

  package init(_ user: UserID, limit: Int64) {
    self.user = user
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(limit)
  }
}

/// Some of the books with pending requests between two users of whom one has blocked the other, in the order of their ids ([C-10]).
package struct BooksBetween: Statement {
  package typealias Row = BookID
  package static let sql = """
    select book_id from (
      select book_id from loans where borrower_id = $1 and state = 'PENDING' and owner_id = $2
      union
      select book_id from loans where borrower_id = $2 and state = 'PENDING' and owner_id = $1
    ) as found
    where exists (select from blocks where blocker_id = $1 and blocked_id = $2)
    order by book_id
    limit $3
    """
  let blocker: UserID
  let blocked: UserID
  let limit: Int64

  /// - Parameter blocker: if this user has removed the block meanwhile, there is no row.
  package init(_ blocker: UserID, _ blocked: UserID, limit: Int64) {
    self.blocker = blocker
    self.blocked = blocked
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(blocker)
    p.append(blocked)
    p.append(limit)
  }
}

/// Some of the pending requests between users of whom one has blocked the other, in the order of their books' ids ([C-10]).
package struct BlockedRequests: Statement {
  package struct Row: Sendable {
    package let book: BookID
    package let blocker: UserID
    package let blocked: UserID
  }

  package static let sql = """
    select book_id, blocker_id, blocked_id from (
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
  let limit: Int64

  package init(limit: Int64) { self.limit = limit }

  package func bind(_ p: inout Parameters) { p.append(limit) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(book: try row.next(), blocker: try row.next(), blocked: try row.next())
  }
}

/// The pending and accepted loans of a user, as owner or borrower, of a book that the transaction has locked.
package struct OpenLoans: Statement {
  package static let sql = """
    \(StoredLoan.selection)
    where loan.book_id = $1 and (loan.owner_id = $2 or loan.borrower_id = $2) and loan.state in ('PENDING', 'ACCEPTED')
    order by loan.id
    """
  let book: BookID
  let user: UserID

  package init(of book: BookID, _ user: UserID) {
    self.book = book
    self.user = user
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(user)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// Removes a user who deleted the account from the history of a book.
package struct ForgetActor: Statement {
  package typealias Row = Void
  package static let sql = "update history set actor_id = null where actor_id = $2 and book_id = $1"
  let book: BookID
  let user: UserID

  package init(_ user: UserID, on book: BookID) {
    self.book = book
    self.user = user
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(user)
  }
}

/// Removes a user who deleted the account, and the user's texts, from the loans of a book.
package struct ForgetParty: Statement {
  package typealias Row = Void
  package static let sql = """
    update loans
    set
      owner_id = nullif(owner_id, $2), borrower_id = nullif(borrower_id, $2),
      comment = case when borrower_id = $2 then null else comment end,
      commented_at = case when borrower_id = $2 then null else commented_at end,
      owner_username = case when owner_id = $2 then '' else owner_username end,
      description = case when owner_id = $2 then '' else description end,
      pickup_latitude = case when owner_id = $2 then null else pickup_latitude end,
      pickup_longitude = case when owner_id = $2 then null else pickup_longitude end,
      pickup_country = case when owner_id = $2 then null else pickup_country end,
      pickup_city = case when owner_id = $2 then null else pickup_city end,
      pickup_address = case when owner_id = $2 then null else pickup_address end
    where book_id = $1 and (owner_id = $2 or borrower_id = $2)
    """
  let book: BookID
  let user: UserID

  package init(_ user: UserID, on book: BookID) {
    self.book = book
    self.user = user
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(user)
  }
}

/// Removes the owner of a book who deleted the account; an available book is retired.
package struct ForgetOwner: Statement {
  package typealias Row = Void
  package static let sql = """
    update books
    set owner_id = null, description = '', retired_at = case when status = 'AVAILABLE' then coalesce(retired_at, $3) end
    where id = $1 and owner_id = $2
    """
  let book: BookID
  let user: UserID
  let now: Instant

  package init(_ user: UserID, of book: BookID, now: Instant) {
    self.book = book
    self.user = user
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(user)
    p.append(now)
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
  let book: BookID

  package init(_ book: BookID) { self.book = book }

  package func bind(_ p: inout Parameters) { p.append(book) }
}

/// Deletes the loans of a book whose parties both deleted their accounts, with their history.
package struct DeleteOrphans: Statement {
  package typealias Row = Void
  package static let sql = "delete from loans where book_id = $1 and owner_id is null and borrower_id is null"
  let book: BookID

  package init(of book: BookID) { self.book = book }

  package func bind(_ p: inout Parameters) { p.append(book) }
}

/// Deletes a book without owner and without loans.
package struct DeleteOrphan: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from books where id = $1 and owner_id is null and not exists (select from loans where book_id = $1)
    """
  let book: BookID

  package init(_ book: BookID) { self.book = book }

  package func bind(_ p: inout Parameters) { p.append(book) }
}

/// Clears descriptions, so that the catalog is asked for them again after events were missed.
package struct ForgetDescriptions: Statement {
  package typealias Row = Void
  package static let sql = "update books set description = '' where description <> ''"

  package init() {}
}
