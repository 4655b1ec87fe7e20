/// The limits of pictures, and of what a decoder may use for one ([ID-25], [CA-26]).
public enum ImageLimits {
  /// Bytes of an uploaded file: 5 MiB.
  public static let fileBytes = 5 << 20
  /// Width times height; checked before a pixel is decoded.
  public static let pixels = 50_000_000
  /// Bytes of one encoded rendition. A small file can contain a picture that is larger when it is encoded again; its
  /// quality is reduced until it fits.
  public static let renditionBytes = 8 << 20
  /// Bytes of a decoder's private memory: rotating the largest picture takes two thirds of it.
  package static let decoderMemory = 1_280 << 20

  /// Whether a picture of this size may be decoded.
  package static func admits(width: Int, height: Int) -> Bool {
    width > 0 && height > 0 && width.multipliedReportingOverflow(by: height).overflow == false
      && width * height <= pixels
  }
}
