import CatalogDomain
import CatalogStore
import FieldMasks
import FieldViolations
import HeavyWork
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog
import TandemEvents

extension Books {
  /// Changes the fields in the mask of one of the caller's books, and no others ([CA-23]).
  package func updateBook(_ call: UpdateBookRequest, _ context: CallContext) async throws -> Book {
    let owner = try context.userID
    let edit = try Edit(call)
    return try await idempotency.execute(
      call, context.requestKey(edit.requestID), .init(validateOnly: call.validateOnly)
    ) {
      (tx) in
      let change = try await nextChange(.keeps, by: owner, tx)
      let book = try await lockedBook(edit.id, of: owner, edit.etag, tx)
      let fields = edit.draft.applied(to: book.fields)
      guard fields != book.fields else { return Book(book, seenBy: owner) }
      if !edit.titleIsConfirmed, fields.title != book.fields.title {
        try (try await tx.first(EditionByISBN(isbn: book.isbn)))?.requireFitting(fields.title)
      }
      let isbn = book.isbn
      let search = try await HeavyWork.shared.run { fields.searchText(isbn) }
      let replace = ReplaceBook(
        bookID: edit.id, fields: fields, search: search, change: change, now: environment.clock.now)
      guard let changed = try await tx.first(replace) else { throw Status.noSuchBook }
      try await events.publish(BookListed(changed), in: tx)
      return Book(changed, seenBy: owner)
    }
  }
}

/// The parsed request.
private struct Edit {
  let id: BookID
  let etag: String
  let draft: BookDraft
  let titleIsConfirmed: Bool
  let requestID: UUID7?

  private static let immutablePaths: Set<String> = [
    "book_id", "owner_id", "owner_username", "isbn", "status", "borrower_id", "borrower_username", "etag",
    "create_time", "update_time", "photo_ids", "on_hold",
  ]

  init(_ call: UpdateBookRequest) throws {
    let new = call.book ?? Book()
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let id = bad.bookID(new.bookID, "book.book_id")
    let named = bad.fields(
      named: call.updateMask, immutable: Self.immutablePaths, otherwise: Set(new.fieldsWithValues))
    draft = BookDraft(named, of: new, &bad)
    etag = new.etag
    titleIsConfirmed = call.titleConfirmed
    self.id = try bad.all(id)
  }
}

extension Book {
  /// The fields that an update without a mask changes.
  fileprivate var fieldsWithValues: [BookDraft.Field] {
    BookDraft.Field.allCases.filter { field in
      switch field {
      case .title: !title.isEmpty
      case .authors: !authors.isEmpty
      case .description: !description.isEmpty
      case .year: year != 0
      case .language: !language.isEmpty
      }
    }
  }
}
