import CatalogDomain
import Identifiers
import Postgres

extension InsertBook {
  package init(bookID: BookID, ownerID: UserID, isbn: ISBN, fields: BookFields, change: Int64, now: Instant) {
    let search = fields.searchText(isbn)
    self.init(
      names: search.names, bookID: bookID, ownerID: ownerID, isbn: isbn, title: fields.title.text,
      authors: fields.authors.map(\.text), description: fields.description.text, year: fields.year,
      language: fields.language?.text ?? "", words: search.vector, change: change, now: now)
  }
}

extension ReplaceBook {
  /// - Parameter isbn: the book's, which is searched too.
  package init(bookID: BookID, isbn: ISBN, fields: BookFields, change: Int64, now: Instant) {
    let search = fields.searchText(isbn)
    self.init(
      names: search.names, title: fields.title.text, authors: fields.authors.map(\.text),
      description: fields.description.text, year: fields.year, language: fields.language?.text ?? "",
      words: search.vector, change: change, now: now, bookID: bookID)
  }
}

extension BooksOfOwner {
  /// - Parameters:
  ///   - status: only books with this status; `nil` for all.
  ///   - after: the position in the list's order of the status of the last book of the previous page, and its id.
  package init(ownerID: UserID, status: BookStatus?, after: (Int64, BookID)?, limit: Int64) {
    self.init(ownerID: ownerID, status: status, afterOrder: after?.0, afterID: after?.1, limit: limit)
  }
}

extension CountPhoto {
  /// The constraint that limits the photographs of a book.
  package static let limitConstraint = "books_photos_limit"
}
