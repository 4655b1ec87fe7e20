// Made from ratings.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A user's rating of a book.
package struct StoredRating: Sendable, Equatable, RowDecodable {
  package let isbn: ISBN
  package let title: String
  package let stars: Stars
  package let ratedAt: Instant

  package init(isbn: ISBN, title: String, stars: Stars, ratedAt: Instant) {
    self.isbn = isbn
    self.title = title
    self.stars = stars
    self.ratedAt = ratedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredRating {
    StoredRating(isbn: try row.next(), title: try row.next(), stars: try row.next(), ratedAt: try row.next())
  }
}

/// The title of a book without a record: of the user's own last loan of it, or of the first copy visible to the user.
package struct TitleOfCopy: SingleRowStatement {
  package typealias Row = String
  package static let sql = """
    select named.title as title
    from (
      (
        select title, 1 as step from past_loans where borrower_id = $1 and isbn = $2
        order by borrowed_at desc
        limit 1
      )
      union all
      (
        select copy.title, 2 from books as copy
        where copy.isbn = $2 and copy.deleted_at is null and copy.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $1
      union all
      select blocker_id from blocks where blocked_id = $1
    )) and copy.owner_id <> all(array(select user_id from erasures))
        order by copy.id
        limit 1
      )
    ) as named
    order by named.step
    limit 1
    """
  package let userID: UserID
  package let isbn: ISBN

  package init(userID: UserID, isbn: ISBN) {
    self.userID = userID
    self.isbn = isbn
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(isbn)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores a rating of a user whom ``EnterUser`` has locked; returns whether the user had not rated the book before.
package struct StoreRating: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    insert into book_ratings (user_id, isbn, title, stars, rated_at) values ($1, $2, $3, $4, $5)
    on conflict on constraint book_ratings_pkey do update
    set title = excluded.title, stars = excluded.stars, rated_at = excluded.rated_at
    returning xmax = 0 as is_new
    """
  package let userID: UserID
  package let isbn: ISBN
  package let title: String
  package let stars: Stars
  package let ratedAt: Instant

  package init(userID: UserID, isbn: ISBN, title: String, stars: Stars, ratedAt: Instant) {
    self.userID = userID
    self.isbn = isbn
    self.title = title
    self.stars = stars
    self.ratedAt = ratedAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(isbn)
    p.append(title)
    p.append(stars)
    p.append(ratedAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a rating of a user whom ``EnterUser`` has locked; no row if there was none.
package struct RemoveRating: SingleRowStatement {
  package typealias Row = ISBN
  package static let sql = """
    delete from book_ratings where user_id = $1 and isbn = $2 returning isbn
    """
  package let userID: UserID
  package let isbn: ISBN

  package init(userID: UserID, isbn: ISBN) {
    self.userID = userID
    self.isbn = isbn
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(isbn)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Adds a rating to the count of a user whom ``EnterUser`` has locked, or removes one from it.
package struct CountRating: Statement {
  package typealias Row = Void
  package static let sql = """
    update users set ratings = ratings + $1 where id = $2
    """
  /// 1 or -1.
  package let number: Int32
  package let userID: UserID

  package init(number: Int32, userID: UserID) {
    self.number = number
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(number)
    p.append(userID)
  }
}

/// A page of a user's ratings, the latest first.
package struct RatingsBefore: Statement {
  package typealias Row = StoredRating
  package static let sql = """
    select isbn, title, stars, rated_at from book_ratings
    where user_id = $1
      and ($2::timestamptz is null or (rated_at, isbn) < ($2, $3))
    order by rated_at desc, isbn desc
    limit $4
    """
  package let userID: UserID
  package let beforeRatedAt: Instant?
  package let beforeISBN: ISBN?
  package let limit: Int64

  package init(userID: UserID, beforeRatedAt: Instant?, beforeISBN: ISBN?, limit: Int64) {
    self.userID = userID
    self.beforeRatedAt = beforeRatedAt
    self.beforeISBN = beforeISBN
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(beforeRatedAt)
    p.append(beforeISBN)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredRating.decode(row)
  }
}
