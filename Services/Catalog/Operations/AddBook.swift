import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import TandemEvents

extension BookOperations {
  /// Adds a book of a user ([CA-20], [CA-21]).
  ///
  /// - Parameters:
  ///   - draft: has all fields but, perhaps, the description.
  ///   - titleIsConfirmed: whether a title is taken that differs from the record's.
  package func addBook(
    _ isbn: ISBN, _ draft: BookDraft, titleIsConfirmed: Bool, of owner: UserID, _ tx: Transaction
  ) async throws -> StoredBook {
    let edition = try await tx.first(EditionByISBN(isbn: isbn))
    guard let fields = draft.whole(completedBy: edition) else {
      preconditionFailure("a field that is missing was not noted")
    }
    if !titleIsConfirmed { try edition?.requireFitting(fields.title) }
    let change = try await nextChange(.adds, by: owner, tx)
    let now = environment.clock.now
    let insert = InsertBook(
      bookID: environment.newID(), ownerID: owner, isbn: isbn, fields: fields,
      recordedAs: try await tx.rows(TitlesOfISBN(isbn: isbn)), change: change, now: now)
    guard let stored = try await tx.first(insert) else { throw BookRefusal.noSuchBook }
    try await events.publish(BookListed(stored), in: tx)
    return stored
  }
}

extension BookListed {
  /// The event that reports a book to other services.
  init(_ stored: StoredBook) {
    self.init(
      bookID: stored.id.description, ownerID: stored.ownerID.description, isbn: stored.isbn.description,
      title: stored.fields.title.text, description: stored.fields.description.text)
  }
}
