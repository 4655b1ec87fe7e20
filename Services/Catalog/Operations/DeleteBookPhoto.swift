import CatalogDomain
import CatalogStore
import Identifiers
import Pictures
import Postgres

extension BookOperations {
  /// Deletes a photograph of one of a user's books, in every size ([CA-26]).
  package func deleteBookPhoto(
    _ photo: PictureID, of id: BookID, by owner: UserID, _ tx: Transaction
  ) async throws {
    let change = try await nextChange(.keeps, by: owner, tx)
    _ = try await lockedBook(id, of: owner, tx)
    guard try await pictures.remove(photo, of: id.uuid, in: tx) else { throw BookRefusal.noSuchPhoto }
    try await tx.execute(CountPhoto(number: -1, change: change, now: environment.clock.now, bookID: id))
  }
}
