import Identifiers
import IdentityStore
import Images
import Pictures
import TandemIdentity
import Timestamps

extension ProfilePicture {
  /// The picture as callers see it.
  init(_ picture: StoredPicture, of owner: UserID) {
    self.init(
      userID: owner.description, etag: picture.etag,
      renditions: picture.renditions.map { rendition in
        PictureRendition(
          size: rendition.size.wire, mediaType: rendition.mediaType, width: Int32(rendition.width),
          height: Int32(rendition.height), byteCount: Int64(rendition.byteCount))
      }, uploadTime: picture.uploadedAt.timestamp)
  }
}
