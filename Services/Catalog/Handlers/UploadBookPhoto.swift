import CatalogOperations
import CatalogStore
import FieldViolations
import Identifiers
import Pictures
import Postgres
import TTRPC
import TandemCatalog

extension Books {
  /// Adds an uploaded file as a photograph of one of the caller's books ([CA-26]).
  package func uploadBookPhoto(
    _ requests: MessageStream<UploadBookPhotoRequest>, _ context: CallContext
  ) async throws -> BookPhoto {
    let owner = try context.userID
    return try await uploads.receive(
      requests, from: owner, chunk: \.chunk, admit: { try await admit($0, from: owner) }
    ) { first, uploaded in
      let id = try book(of: first)
      let stored = try await database.transaction { tx in
        try await operations.addBookPhoto(uploaded, of: id, by: owner, tx)
      }
      return BookPhoto(stored, of: id)
    }
  }

  /// Refuses an upload for a book that the caller does not own, before the file is received.
  private func admit(_ first: UploadBookPhotoRequest, from owner: UserID) async throws {
    try await operations.requireOwnBook(try book(of: first), of: owner)
  }

  private func book(of first: UploadBookPhotoRequest) throws(BadFields) -> BookID {
    var bad = Violations()
    let id = bad.bookID(first.bookID)
    return try bad.all(id)
  }
}
