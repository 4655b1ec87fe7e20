public import Identifiers
public import Images

/// The subject of ``PictureID``.
public enum PictureSubject {}
public typealias PictureID = Identifier<PictureSubject>

/// A picture without its bytes.
public struct StoredPicture: Sendable, Equatable {
  /// One size of a picture.
  public struct Rendition: Sendable, Equatable {
    public let size: PictureSize
    /// The media type of the format, e.g. `image/png`.
    public let mediaType: String
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Bytes of the file.
    public let byteCount: Int
  }

  public let id: PictureID
  /// SHA-256 of the file as it was uploaded.
  public let contentHash: [UInt8]
  /// When it was uploaded.
  public let uploadedAt: Instant
  /// The largest first.
  public let renditions: [Rendition]

  /// Unique to the picture; a picture never changes.
  public var etag: String { id.description }
}

extension StoredPicture.Rendition {
  init(_ columns: RenditionColumns) {
    self.init(
      size: columns.size, mediaType: columns.mediaType, width: Int(columns.width), height: Int(columns.height),
      byteCount: Int(columns.byteCount))
  }
}
