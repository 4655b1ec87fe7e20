import CatalogDomain
import CatalogStore
import FieldViolations
import Images
import Pictures
import TTRPC
import TandemCatalog

extension Books {
  /// Streams a photograph of a book, in chunks, to any user who may see the book ([CA-26], [C-10]).
  package func downloadBookPhoto(
    _ call: DownloadBookPhotoRequest, _ responses: MessageWriter<DownloadBookPhotoResponse>, _ context: CallContext
  ) async throws {
    let viewer = try context.userID
    var bad = Violations()
    let (book, photo) = (bad.bookID(call.bookID), bad.photoID(call.photoID))
    let (id, photoID) = try bad.all(book, photo)
    let size = PictureSize(call.size) ?? .full
    guard try await database.first(BookByID(bookID: id, viewerID: viewer)) != nil else { throw BookRefusal.noSuchBook }
    guard let picture = try await pictures.pictures(of: id.uuid).first(where: { $0.id == photoID }),
      let rendition = picture.renditions.first(where: { $0.size == size })
    else { throw BookRefusal.noSuchPhoto }
    try await responses.send(DownloadBookPhotoResponse(photo: BookPhoto(picture, of: id)))
    try await pictures.send(picture.id, rendition, to: responses) { DownloadBookPhotoResponse(chunk: $0) }
  }
}
