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

extension Images.PictureSize {
  /// The size in a request, by default the full one.
  init(_ wire: TandemIdentity.PictureSize) {
    self = Self.allCases.first { $0.wire == wire } ?? .full
  }

  var wire: TandemIdentity.PictureSize {
    switch self {
    case .full: .full
    case .thumbnail256: .thumbnail256
    case .thumbnail64: .thumbnail64
    }
  }
}
