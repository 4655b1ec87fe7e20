import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import TandemEvents

extension BookOperations {
  /// Changes the named fields of one of a user's books, and no others ([CA-23]).
  ///
  /// - Parameters:
  ///   - titleIsConfirmed: whether a title is taken that differs from the record's.
  ///   - revision: that of the book as the user knows it; `nil` for any.
  package func updateBook(
    _ id: BookID, _ draft: BookDraft, titleIsConfirmed: Bool, of owner: UserID, expecting revision: Int64?,
    _ tx: Transaction
  ) async throws -> StoredBook {
    let change = try await nextChange(.keeps, by: owner, tx)
    let book = try await lockedBook(id, of: owner, expecting: revision, tx)
    let fields = draft.applied(to: book.fields)
    guard fields != book.fields else { return book }
    if !titleIsConfirmed, fields.title != book.fields.title {
      try (try await tx.first(EditionByISBN(isbn: book.isbn)))?.requireFitting(fields.title)
    }
    let replace = ReplaceBook(
      bookID: id, isbn: book.isbn, fields: fields, recordedAs: try await tx.rows(TitlesOfISBN(isbn: book.isbn)),
      change: change, now: environment.clock.now)
    guard let changed = try await tx.first(replace) else { throw BookRefusal.noSuchBook }
    try await events.publish(BookListed(changed), in: tx)
    return changed
  }
}
