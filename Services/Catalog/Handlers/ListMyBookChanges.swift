import Base64
import CatalogStore
import Cryptography
import FieldViolations
import Identifiers
import Pagination
import TTRPC
import TandemCatalog
import Timestamps

extension Books {
  /// The caller's books that were created, changed or deleted since a token ([C-11]).
  package func listMyBookChanges(
    _ call: ListMyBookChangesRequest, _ context: CallContext
  ) async throws -> ListMyBookChangesResponse {
    let owner = try context.userID
    var bad = Violations()
    if call.pageSize < 0 { bad.add("page_size", "The page_size cannot be negative", CatalogReason.pageSizeInvalid) }
    let size = call.pageSize <= 0 ? Pages.defaultSize : min(Int(call.pageSize), Pages.largestSize)
    let since = bad.require(
      "since", ChangeToken(call.since), "This is no token of this method; begin without one",
      CatalogReason.changeTokenInvalid)
    let after = try bad.all(since).change
    let last = try await database.first(BookChangesOfUser(userID: owner)) ?? 0
    // Another user's token, for example; it would skip changes.
    guard after <= last else {
      throw BadFields("since", "This is no token of yours; begin without one", CatalogReason.changeTokenInvalid)
    }
    let found = try await database.rows(ChangedBooks(ownerID: owner, after: after, limit: Int64(size) + 1))
    let shown = found.prefix(size)
    return ListMyBookChangesResponse(
      changes: shown.map { BookChange($0, seenBy: owner) },
      nextSince: ChangeToken(change: shown.last?.change ?? after).text, more: found.count > size)
  }
}

/// A position in the changes of a user's own things, as clients store it.
struct ChangeToken {
  /// The last change that the client has seen; 0 for none.
  let change: Int64

  init(change: Int64) { self.change = change }

  /// `nil` for a text that is not a token.
  init?(_ text: String) {
    if text.isEmpty {
      change = 0
      return
    }
    // Eight bytes in base64url.
    guard text.utf8.count == 11, let bytes = Base64URL.decode(text) else { return nil }
    var rest = bytes[...]
    guard let change = Int64(from: &rest), rest.isEmpty, change >= 0 else { return nil }
    self.change = change
  }

  var text: String {
    var bytes: [UInt8] = []
    change.write(to: &bytes)
    return Base64URL.encode(bytes)
  }
}

extension BookChange {
  fileprivate init(_ row: ChangedBooks.Row, seenBy owner: UserID) {
    self.init(
      bookID: row.book.id.description, book: row.deletedAt == nil ? Book(row.book, seenBy: owner) : nil,
      deleteTime: row.deletedAt?.timestamp)
  }
}
