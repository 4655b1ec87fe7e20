/// In what size a picture is kept.
public enum PictureSize: String, Sendable, Hashable, CaseIterable {
  /// As it was uploaded, turned upright.
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

/// A picture written anew in one size, with nothing in it but pixels.
public struct Rendition: Sendable, Equatable {
  /// Which size.
  public let size: PictureSize
  /// The format of the file.
  public let format: ImageFormat
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// The file.
  public let bytes: [UInt8]

  package init(size: PictureSize, format: ImageFormat, width: Int, height: Int, bytes: [UInt8]) {
    (self.size, self.format, self.width, self.height, self.bytes) = (size, format, width, height, bytes)
  }
}
