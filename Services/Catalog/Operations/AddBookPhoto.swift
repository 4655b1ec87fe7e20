import CatalogDomain
import CatalogStore
import Identifiers
import Pictures
import Postgres

extension BookOperations {
  /// Adds a photograph of one of a user's books; a file that the book has already is not added again ([CA-26]).
  package func addBookPhoto(
    _ uploaded: UploadedPicture, of id: BookID, by owner: UserID, _ tx: Transaction
  ) async throws -> StoredPicture {
    let change = try await nextChange(.keeps, by: owner, tx)
    _ = try await lockedBook(id, of: owner, tx)
    let known = try await pictures.pictures(of: id.uuid, in: tx)
    if let same = known.first(where: { $0.contentHash == uploaded.contentHash }) { return same }
    try await count(CountPhoto(number: 1, change: change, now: environment.clock.now, bookID: id), tx)
    return try await pictures.add(uploaded, as: environment.newID(), of: id.uuid, at: environment.clock.now, in: tx)
  }

  private func count(_ photo: CountPhoto, _ tx: Transaction) async throws {
    do { try await tx.execute(photo) } catch let error as PostgresError
      where error.constraint == CountPhoto.limitConstraint
    { throw BookRefusal.tooManyPhotos }
  }
}
