/// A file that is not an accepted picture ([ID-25]); each case is INVALID_ARGUMENT `UNSUPPORTED_IMAGE` to the caller.
public enum UnsupportedImage: Error, Sendable, Hashable {
  /// Longer than 5 MiB.
  case tooLong
  /// Neither JPEG, nor PNG, nor WebP by its content.
  case otherFormat
  /// More than 50 megapixels.
  case tooManyPixels
  /// Broken, truncated, or made so that decoding it takes too much memory.
  case unreadable
  /// The decoder died from a signal.
  case deadly(signal: Int32)
  /// The decoder did not finish in time.
  case endless
}

/// Pictures cannot be decoded now; the same file may succeed later.
public enum ImageDecoderFailure: Error, Sendable, Hashable {
  /// Every decoder is busy and the queue is full.
  case overloaded
  /// The decoder does not run on this machine; the text is for the log.
  case unfit(String)
}
