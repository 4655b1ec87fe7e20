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
        let change = try await nextChange(.keeps, by: owner, tx)
        _ = try await lockedBook(id, of: owner, "", tx)
        let known = try await pictures.pictures(of: id.uuid, in: tx)
        if let same = known.first(where: { $0.contentHash == uploaded.contentHash }) { return same }
        try await count(CountPhoto(number: 1, change: change, now: environment.clock.now, bookID: id), tx)
        return try await pictures.add(uploaded, as: environment.newID(), of: id.uuid, at: environment.clock.now, in: tx)
      }
      return BookPhoto(stored, of: id)
    }
  }

  /// Refuses an upload for a book that the caller does not own, before the file is received.
  private func admit(_ first: UploadBookPhotoRequest, from owner: UserID) async throws {
    let known = try await database.first(BookByID(bookID: try book(of: first), viewerID: owner))
    guard let known else { throw Status.noSuchBook }
    guard known.ownerID == owner else { throw Status.notTheOwner }
  }

  private func book(of first: UploadBookPhotoRequest) throws(BadFields) -> BookID {
    var bad = Violations()
    let id = bad.bookID(first.bookID)
    return try bad.all(id)
  }

  private func count(_ photo: CountPhoto, _ tx: Transaction) async throws {
    do { try await tx.execute(photo) } catch let error as PostgresError
      where error.constraint == CountPhoto.limitConstraint
    { throw Status.tooManyPhotos }
  }
}
