import Base64
import CatalogStore
import Cryptography
import FieldViolations
import Identifiers
import Pagination
import Postgres
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
    let token = try bad.all(since)
    let last = try await database.first(BookChangesOfUser(userID: owner)) ?? 0
    let epoch = try await token.check(against: last, in: database)
    let found = try await database.rows(ChangedBooks(ownerID: owner, after: token.change, limit: Int64(size) + 1))
    let shown = found.prefix(size)
    return ListMyBookChangesResponse(
      changes: shown.map { BookChange($0, seenBy: owner) },
      nextSince: ChangeToken(change: shown.last?.change ?? token.change, epoch: epoch).text, more: found.count > size)
  }
}

/// A position in the changes of a user's own things, as clients store it.
struct ChangeToken {
  /// The last change that the client has seen; 0 for none.
  let change: Int64
  /// That of the database that gave it, which changes when it is restored; `nil` for no token.
  private let epoch: Int64?

  init(change: Int64, epoch: Int64) { (self.change, self.epoch) = (change, epoch) }

  /// `nil` for a text that is not a token.
  init?(_ text: String) {
    if text.isEmpty {
      (change, epoch) = (0, nil)
      return
    }
    guard text.utf8.count <= 22, let bytes = Base64URL.decode(text) else { return nil }
    var rest = bytes[...]
    guard let change = Int64(from: &rest), change >= 0 else { return nil }
    self.change = change
    // Tokens from before have the change alone, and are those of a database that was never restored.
    if rest.isEmpty {
      epoch = 0
      return
    }
    guard let epoch = Int64(from: &rest), rest.isEmpty else { return nil }
    self.epoch = epoch
  }

  var text: String {
    var bytes: [UInt8] = []
    change.write(to: &bytes)
    (epoch ?? 0).write(to: &bytes)
    return Base64URL.encode(bytes)
  }

  /// Checks that the changes before it are those of this user and database.
  ///
  /// - Parameter last: the number of the user's last change.
  /// - Returns: the epoch for the next token.
  /// - Throws: if the token is later than every change, as one of another user may be, or of a database that was restored to an earlier moment
  ///   since: it would skip changes.
  func check(against last: Int64, in database: Database) async throws -> Int64 {
    let present = try await database.first(ChangeEpoch()) ?? 0
    guard change <= last else {
      throw BadFields("since", "This is no token of yours; begin without one", CatalogReason.changeTokenInvalid)
    }
    guard epoch == nil || epoch == present else {
      throw BadFields(
        "since", "The database was restored since; begin without a token", CatalogReason.changeTokenInvalid)
    }
    return present
  }
}

extension BookChange {
  fileprivate init(_ row: ChangedBooks.Row, seenBy owner: UserID) {
    self.init(
      bookID: row.book.id.description, book: row.deletedAt == nil ? Book(row.book, seenBy: owner) : nil,
      deleteTime: row.deletedAt?.timestamp)
  }
}
