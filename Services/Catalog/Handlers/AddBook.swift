import CatalogDomain
import CatalogStore
import FieldViolations
import HeavyWork
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog
import TandemEvents

extension Books {
  /// Adds a book of the caller ([CA-20], [CA-21]).
  package func addBook(_ call: AddBookRequest, _ context: CallContext) async throws -> Book {
    let owner = try context.userID
    let copy = try NewCopy(call)
    return try await idempotency.execute(
      call, context.requestKey(copy.requestID), .init(validateOnly: call.validateOnly)
    ) {
      (tx) in
      let edition = try await tx.first(EditionByISBN(isbn: copy.isbn))
      let fields = try copy.fields(given: edition)
      let search = try await HeavyWork.shared.run { fields.searchText(copy.isbn) }
      let change = try await nextChange(.adds, by: owner, tx)
      let now = environment.clock.now
      let insert = InsertBook(
        bookID: environment.newID(), ownerID: owner, isbn: copy.isbn, fields: fields, search: search, change: change,
        now: now)
      guard let stored = try await tx.first(insert) else { throw Status.noSuchBook }
      try await events.publish(BookListed(stored), in: tx)
      return Book(stored, seenBy: owner)
    }
  }
}

/// The parsed request.
private struct NewCopy {
  let isbn: ISBN
  let draft: BookDraft
  let titleIsConfirmed: Bool
  let requestID: UUID7?

  init(_ call: AddBookRequest) throws {
    let book = call.book ?? Book()
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    draft = BookDraft(ofNew: book, &bad)
    titleIsConfirmed = call.titleConfirmed
    let isMissing = book.isbn.allSatisfy(\.isWhitespace)
    let isbn = bad.require(
      "book.isbn", ISBN(book.isbn), isMissing ? "The ISBN is missing" : ISBN.refusal,
      isMissing ? CatalogReason.isbnRequired : CatalogReason.invalidIsbn)
    self.isbn = try bad.all(isbn)
  }

  /// The fields to store; a title that differs from the record's must be confirmed ([CA-21]).
  func fields(given edition: StoredEdition?) throws(Status) -> BookFields {
    guard let fields = draft.whole(completedBy: edition) else {
      preconditionFailure("a field that is missing was not noted")
    }
    if !titleIsConfirmed { try edition?.requireFitting(fields.title) }
    return fields
  }
}

extension StoredEdition {
  /// - Throws: ISBN_TITLE_MISMATCH for a title that is none of the record's ([CA-21]).
  func requireFitting(_ title: Title) throws(Status) {
    guard TitleComparison.fits(title.text, anyOf: titles) else { throw .titleMismatch(with: self.title) }
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
