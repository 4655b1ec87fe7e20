/// What a picture may be, and what a decoder may use up for it ([ID-25], [CA-26]).
public enum ImageLimits {
  /// Of an uploaded file: 5 MiB.
  public static let fileBytes = 5 << 20
  /// Width times height; looked at before a pixel is decoded.
  public static let pixels = 50_000_000
  /// Of one encoded rendition. A small file can hold a picture that is larger when it is written anew; such a one loses quality until it
  /// fits.
  public static let renditionBytes = 8 << 20
  /// Of private memory that a decoder may have: the largest picture turned upright takes two thirds of it.
  package static let decoderMemory = 1_280 << 20

  /// Whether a picture of so many pixels a side may be decoded.
  package static func admits(width: Int, height: Int) -> Bool {
    width > 0 && height > 0 && width.multipliedReportingOverflow(by: height).overflow == false
      && width * height <= pixels
  }
}
