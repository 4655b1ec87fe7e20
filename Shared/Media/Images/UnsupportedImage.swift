/// A file that is no picture we take ([ID-25]); each case is INVALID_ARGUMENT `UNSUPPORTED_IMAGE` to the caller.
public enum UnsupportedImage: Error, Sendable, Hashable {
  /// Longer than 5 MiB.
  case tooLong
  /// Neither JPEG, nor PNG, nor WebP by its content.
  case otherFormat
  /// More than 50 megapixels.
  case tooManyPixels
  /// Broken, cut off, or so made that decoding it takes too much memory.
  case unreadable
  /// The decoder died of it.
  case deadly(signal: Int32)
  /// The decoder did not come to an end in time.
  case endless
}

/// Pictures cannot be taken now; a file that is given again later may be.
public enum ImageDecoderFailure: Error, Sendable, Hashable {
  /// Every decoder is busy and so many files wait that one more would wait too long.
  case overloaded
  /// The decoder does not run on this machine; for the log.
  case unfit(String)
}
