/// The size of a rendition.
public enum PictureSize: String, Sendable, Hashable, CaseIterable {
  /// The uploaded size, upright.
  case full = "FULL"
  /// Fits into a square of 256 pixels.
  case thumbnail256 = "THUMBNAIL_256"
  /// Fits into a square of 64 pixels.
  case thumbnail64 = "THUMBNAIL_64"

  /// The longest side in pixels; `nil` for the full size. Smaller pictures are not enlarged.
  public var maxSide: Int? {
    switch self {
    case .full: nil
    case .thumbnail256: 256
    case .thumbnail64: 64
    }
  }
}

/// A picture encoded anew in one size, without metadata.
public struct Rendition: Sendable, Equatable {
  public let size: PictureSize
  /// The format of the file.
  public let format: ImageFormat
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// The encoded file.
  public let bytes: [UInt8]

  package init(size: PictureSize, format: ImageFormat, width: Int, height: Int, bytes: [UInt8]) {
    (self.size, self.format, self.width, self.height, self.bytes) = (size, format, width, height, bytes)
  }
}
