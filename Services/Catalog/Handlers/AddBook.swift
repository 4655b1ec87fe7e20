import CatalogDomain
import CatalogOperations
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog

extension Books {
  /// Adds a book of the caller ([CA-20], [CA-21]).
  package func addBook(_ call: AddBookRequest, _ context: CallContext) async throws -> Book {
    let owner = try context.userID
    let copy = try NewCopy(call)
    return try await idempotency.execute(
      call, context.requestKey(copy.requestID), .init(validateOnly: call.validateOnly)
    ) {
      (tx) in
      let stored = try await operations.addBook(
        copy.isbn, copy.draft, titleIsConfirmed: call.titleConfirmed, of: owner, tx)
      return Book(stored, seenBy: owner)
    }
  }
}

/// The parsed request.
private struct NewCopy {
  let isbn: ISBN
  let draft: BookDraft
  let requestID: UUID7?

  init(_ call: AddBookRequest) throws {
    let book = call.book ?? Book()
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    draft = BookDraft(ofNew: book, &bad)
    let isMissing = book.isbn.allSatisfy(\.isWhitespace)
    let isbn = bad.require(
      "book.isbn", ISBN(book.isbn), isMissing ? "The ISBN is missing" : ISBN.refusal,
      isMissing ? CatalogReason.isbnRequired : CatalogReason.invalidIsbn)
    self.isbn = try bad.all(isbn)
  }
}
