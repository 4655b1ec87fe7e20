import AccountDeletions
import Blocks
import CatalogDomain
import Events
import Identifiers
import Postgres

/// A user's rating of a book.
package struct StoredRating: Sendable, Equatable {
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
}

/// The title of a book without a record: of the user's own last loan of it, or of the first copy visible to the user.
package struct TitleOfCopy: Statement {
  package typealias Row = String
  package static let sql = """
    select named.title
    from (
      (
        select title, 1 as step from past_loans where borrower_id = $2 and isbn = $1
        order by borrowed_at desc
        limit 1
      )
      union all
      (
        select copy.title, 2 from books as copy
        where copy.isbn = $1 and copy.deleted_at is null and \(Visibility.sql("copy.owner_id", "$2"))
        order by copy.id
        limit 1
      )
    ) as named
    order by named.step
    limit 1
    """
  let isbn: ISBN
  let viewer: UserID

  package init(_ isbn: ISBN, seenBy viewer: UserID) {
    self.isbn = isbn
    self.viewer = viewer
  }

  package func bind(_ p: inout Parameters) {
    p.append(isbn.number)
    p.append(viewer)
  }
}

/// Stores a rating of a user whom ``EnterUser`` has locked; returns whether the user had not rated the book before.
package struct StoreRating: Statement {
  package typealias Row = Bool
  package static let sql = """
    insert into book_ratings (person_id, isbn, title, stars, rated_at) values ($1, $2, $3, $4, $5)
    on conflict on constraint book_ratings_pkey do update
    set title = excluded.title, stars = excluded.stars, rated_at = excluded.rated_at
    returning xmax = 0
    """
  let rating: StoredRating
  let user: UserID

  package init(_ rating: StoredRating, of user: UserID) {
    self.rating = rating
    self.user = user
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(rating.isbn.number)
    p.append(rating.title)
    p.append(rating.stars.count)
    p.append(rating.ratedAt)
  }
}

/// Removes a rating of a user whom ``EnterUser`` has locked; no row if there was none.
package struct RemoveRating: Statement {
  package typealias Row = Int64
  package static let sql = "delete from book_ratings where person_id = $1 and isbn = $2 returning isbn"
  let isbn: ISBN
  let user: UserID

  package init(of isbn: ISBN, by user: UserID) {
    self.isbn = isbn
    self.user = user
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(isbn.number)
  }
}

/// Adds a rating to the count of a user whom ``EnterUser`` has locked, or removes one from it.
package struct CountRating: Statement {
  package enum Effect: Int32, Sendable {
    case added = 1
    case removed = -1
  }

  package typealias Row = Void
  /// The constraint that limits the ratings of a user.
  package static let limitConstraint = "people_ratings_limit"

  package static let sql = "update people set ratings = ratings + $2 where id = $1"
  let user: UserID
  let effect: Effect

  package init(of user: UserID, _ effect: Effect) {
    self.user = user
    self.effect = effect
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(effect.rawValue)
  }
}

/// A page of a user's ratings, the latest first.
package struct RatingsBefore: Statement {
  package static let sql = """
    select isbn, title, stars, rated_at from book_ratings
    where person_id = $1 and ($2::timestamptz is null or (rated_at, isbn) < ($2, $3))
    order by rated_at desc, isbn desc
    limit $4
    """
  let user: UserID
  let before: (Instant, Int64)?
  let limit: Int64

  package init(of user: UserID, before: (Instant, Int64)?, limit: Int64) {
    self.user = user
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(before?.0)
    p.append(before?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredRating {
    StoredRating(
      isbn: ISBN(stored: try row.next()), title: try row.next(), stars: Stars(stored: try row.next()),
      ratedAt: try row.next())
  }
}

/// Removes a user's ratings ([C-9]).
package struct DeleteRatingsOfUser: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = "delete from book_ratings where person_id = $1"
  package static let users = "select person_id from book_ratings"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
