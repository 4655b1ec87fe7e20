import Identifiers
import Postgres

/// Counts a photograph that the transaction adds to a book that it has locked, or removes from it: a change of the book like others.
package struct CountPhoto: Statement {
  package typealias Row = Void
  /// The constraint that limits the photographs of a book.
  package static let limitConstraint = "books_photos_limit"

  package static let sql = """
    update books set photos = photos + $2, change = $3, updated_at = $4, revision = revision + 1 where id = $1
    """
  let book: BookID
  let number: Int32
  let change: Int64
  let now: Instant

  /// - Parameters:
  ///   - number: 1 or -1.
  ///   - change: from ``NextChange``.
  package init(_ number: Int32, of book: BookID, change: Int64, now: Instant) {
    self.number = number
    self.book = book
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(book)
    p.append(number)
    p.append(change)
    p.append(now)
  }
}
