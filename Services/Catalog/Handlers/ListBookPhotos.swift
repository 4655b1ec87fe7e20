import CatalogDomain
import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// The photographs of a book, in the order in which they were added ([CA-26]).
  package func listBookPhotos(
    _ call: ListBookPhotosRequest, _ context: CallContext
  ) async throws -> ListBookPhotosResponse {
    let viewer = try context.userID
    var bad = Violations()
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    guard try await database.first(BookByID(bookID: id, viewerID: viewer)) != nil else { throw BookRefusal.noSuchBook }
    let photos = try await pictures.pictures(of: id.uuid)
    return ListBookPhotosResponse(photos: photos.map { BookPhoto($0, of: id) })
  }
}
