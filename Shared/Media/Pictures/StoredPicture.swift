public import Identifiers
public import Images

/// What the ids of pictures identify.
public enum PictureSubject {}
/// See ``PictureSubject``.
public typealias PictureID = Identifier<PictureSubject>

/// A picture without its bytes.
public struct StoredPicture: Sendable, Equatable {
  /// One size of a picture.
  public struct Rendition: Sendable, Equatable {
    /// Which size.
    public let size: PictureSize
    /// What HTTP calls its format, e.g. `image/png`.
    public let mediaType: String
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// How long the file is.
    public let byteCount: Int
  }

  /// Its id.
  public let id: PictureID
  /// SHA-256 of the file as it was uploaded.
  public let contentHash: [UInt8]
  /// When it was uploaded.
  public let uploadedAt: Instant
  /// The largest first.
  public let renditions: [Rendition]

  /// Another picture has another one; a picture never changes.
  public var etag: String { id.description }
}
