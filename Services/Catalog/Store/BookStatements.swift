import CatalogDomain
import Identifiers
import Postgres

extension InsertBook {
  /// - Parameter search: of the fields and the ISBN.
  package init(
    bookID: BookID, ownerID: UserID, isbn: ISBN, fields: BookFields, search: SearchText, change: Int64, now: Instant
  ) {
    self.init(
      names: search.names, bookID: bookID, ownerID: ownerID, isbn: isbn, title: fields.title.text,
      authors: fields.authors.map(\.text), description: fields.description.text, year: fields.year,
      language: fields.language?.text ?? "", words: search.vector, titleKey: search.titleKey, surname: search.surname,
      change: change, now: now)
  }
}

extension ReplaceBook {
  /// - Parameter search: of the fields and the book's ISBN.
  package init(bookID: BookID, fields: BookFields, search: SearchText, change: Int64, now: Instant) {
    self.init(
      names: search.names, title: fields.title.text, authors: fields.authors.map(\.text),
      description: fields.description.text, year: fields.year, language: fields.language?.text ?? "",
      words: search.vector, titleKey: search.titleKey, surname: search.surname,
      change: change, now: now, bookID: bookID)
  }
}

extension BooksOfOwner {
  /// - Parameters:
  ///   - status: only books with this status; `nil` for all.
  ///   - after: of the last book of the previous page, the owner's change number when the first page was read, the position of its status then
  ///     in the list's order, and its id.
  package init(ownerID: UserID, status: BookStatus?, after: (Int64, Int64, BookID)?, limit: Int64) {
    self.init(
      ownerID: ownerID, status: status, since: after?.0, afterOrder: after?.1, afterID: after?.2, limit: limit)
  }
}

extension CountPhoto {
  /// The constraint that limits the photographs of a book.
  package static let limitConstraint = "books_photos_limit"
}
