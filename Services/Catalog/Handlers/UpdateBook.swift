import CatalogOperations
import CatalogStore
import FieldMasks
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog

extension Books {
  /// Changes the fields in the mask of one of the caller's books, and no others ([CA-23]).
  package func updateBook(_ call: UpdateBookRequest, _ context: CallContext) async throws -> Book {
    let owner = try context.userID
    let edit = try Edit(call)
    return try await idempotency.execute(
      call, context.requestKey(edit.requestID), .init(validateOnly: call.validateOnly)
    ) {
      (tx) in
      let changed = try await operations.updateBook(
        edit.id, edit.draft, titleIsConfirmed: call.titleConfirmed, of: owner, expecting: edit.revision, tx)
      return Book(changed, seenBy: owner)
    }
  }
}

/// The parsed request.
private struct Edit {
  let id: BookID
  let revision: Int64?
  let draft: BookDraft
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
    revision = Etag.revision(of: new.etag)
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
