import Identifiers
import LendingDomain
import Postgres

/// Some of the books in which something is open or kept of a person, in the order of their ids.
package struct BooksOfDeparted: Statement {
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
  let person: PersonID
  let limit: Int64

  package init(_ person: PersonID, limit: Int64) {
    self.person = person
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(person)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> BookID { try row.next() }
}

/// Some of the books for which requests wait between two people, in the order of their ids ([C-10]).
package struct BooksBetween: Statement {
  package static let sql = """
    select book_id from (
      select book_id from loans where borrower_id = $1 and state = 'PENDING' and owner_id = $2
      union
      select book_id from loans where borrower_id = $2 and state = 'PENDING' and owner_id = $1
    ) as found
    order by book_id
    limit $3
    """
  let one: PersonID
  let other: PersonID
  let limit: Int64

  package init(_ one: PersonID, _ other: PersonID, limit: Int64) {
    self.one = one
    self.other = other
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(one)
    p.append(other)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> BookID { try row.next() }
}

/// What waits or is promised of a person, as owner or borrower, with a book that the transaction has locked.
package struct OpenLoans: Statement {
  package static let sql = """
    select \(StoredLoan.columns)
    from loans as loan join books as book on book.id = loan.book_id \(StoredLoan.borrower)
    where loan.book_id = $1 and (loan.owner_id = $2 or loan.borrower_id = $2) and loan.state in ('PENDING', 'ACCEPTED')
    order by loan.id
    """
  let book: BookID
  let person: PersonID

  package init(of book: BookID, _ person: PersonID) {
    self.book = book
    self.person = person
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(person)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan { try .decode(row) }
}

/// Makes the steps nobody's that a person who left took with a book.
package struct ForgetActor: Statement {
  package typealias Row = Void
  package static let sql = "update history set actor_id = null where actor_id = $2 and book_id = $1"
  let book: BookID
  let person: PersonID

  package init(_ person: PersonID, on book: BookID) {
    self.book = book
    self.person = person
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(person)
  }
}

/// Takes a person who left, and what they said, out of the loans of a book.
package struct ForgetParty: Statement {
  package typealias Row = Void
  package static let sql = """
    update loans
    set
      owner_id = nullif(owner_id, $2), borrower_id = nullif(borrower_id, $2),
      comment = case when borrower_id = $2 then null else comment end,
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
  let person: PersonID

  package init(_ person: PersonID, on book: BookID) {
    self.book = book
    self.person = person
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(person)
  }
}

/// Makes a book of somebody who left nobody's; one that nobody has is not there any more.
package struct ForgetOwner: Statement {
  package typealias Row = Void
  package static let sql = """
    update books
    set owner_id = null, description = '', retired_at = case when status = 'AVAILABLE' then coalesce(retired_at, $3) end
    where id = $1 and owner_id = $2
    """
  let book: BookID
  let person: PersonID
  let now: Instant

  package init(_ person: PersonID, of book: BookID, now: Instant) {
    self.book = book
    self.person = person
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(person)
    p.append(now)
  }
}

/// Takes a book off its loan of which both parties left: nobody is there to give it back.
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

/// Deletes the loans of a book of which both parties left, with their history.
package struct DeleteOrphans: Statement {
  package typealias Row = Void
  package static let sql = "delete from loans where book_id = $1 and owner_id is null and borrower_id is null"
  let book: BookID

  package init(of book: BookID) { self.book = book }

  package func bind(_ p: inout Parameters) { p.append(book) }
}

/// Deletes a book whose owner left and of which no loan is kept.
package struct DeleteOrphan: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from books where id = $1 and owner_id is null and not exists (select from loans where book_id = $1)
    """
  let book: BookID

  package init(_ book: BookID) { self.book = book }

  package func bind(_ p: inout Parameters) { p.append(book) }
}

/// Has what is told of books asked for again: news of them was missed.
package struct ForgetDescriptions: Statement {
  package typealias Row = Void
  package static let sql = "update books set description = '' where description <> ''"

  package init() {}
}
