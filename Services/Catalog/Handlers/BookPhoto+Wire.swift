import CatalogStore
import FieldViolations
import Images
import Pictures
import TandemCatalog
import Timestamps

extension BookPhoto {
  /// The photograph as clients see it.
  init(_ picture: StoredPicture, of book: BookID) {
    self.init(
      photoID: picture.id.description, bookID: book.description,
      renditions: picture.renditions.map { rendition in
        PhotoRendition(
          size: rendition.size.wire, mediaType: rendition.mediaType, width: Int32(rendition.width),
          height: Int32(rendition.height), byteCount: Int64(rendition.byteCount))
      }, uploadTime: picture.uploadedAt.timestamp)
  }
}

extension Violations {
  /// Parses the id of a photograph from the field `photo_id`.
  mutating func photoID(_ text: String) -> PictureID? {
    require("photo_id", PictureID(text), "This is not the id of a photograph", CatalogReason.photoIDInvalid)
  }
}
