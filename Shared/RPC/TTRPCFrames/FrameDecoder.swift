/// Splits a byte stream into frames, without I/O and without holding bytes of its own.
///
/// The caller passes the bytes it has, acts on the step, drops the bytes that the step consumed, and passes the rest
/// again until the step is ``Step/incomplete``. An oversize frame is reported once and then skipped as its bytes
/// arrive, so it is never held in memory.
public struct FrameDecoder: Sendable {
  /// What the bytes begin with.
  public enum Step: Equatable, Sendable {
    /// A whole frame; `body` is its range in the bytes that were passed.
    case frame(FrameHeader, body: Range<Int>)
    /// A frame too long to accept. Its stream is to be refused; its bytes are skipped from here on.
    case oversize(FrameHeader)
    /// A frame too long even to skip. The connection is to be closed.
    case unskippable(FrameHeader)
    /// No whole frame is left; more bytes are needed.
    case incomplete
  }

  /// The longest body that is skipped; a longer one closes the connection: a bound on what a hostile length can cost.
  @inlinable public static var maximumSkippedLength: Int { 4 * FrameHeader.maximumLength }

  /// The longest body that is accepted.
  @usableFromInline let longest: Int
  @usableFromInline var skipping = 0

  /// A decoder at the start of a stream.
  ///
  /// - Parameter longest: bytes of the longest body that is accepted, at most ``FrameHeader/maximumLength``.
  public init(longest: Int = FrameHeader.maximumLength) {
    self.longest = min(longest, FrameHeader.maximumLength)
  }

  /// Whether part of a frame that is skipped is still to come.
  var isSkipping: Bool { skipping > 0 }

  /// Skips the next `count` bytes too: the rest of a frame whose beginning the caller has dropped.
  mutating func skip(_ count: Int) {
    skipping += count
  }

  /// Decodes `bytes`, the unconsumed rest of the stream in order.
  ///
  /// - Returns: the step, and how many leading bytes the caller has to drop once it has acted on it.
  @inlinable @inline(__always)
  public mutating func step(_ bytes: UnsafeRawBufferPointer) -> (step: Step, consumed: Int) {
    let skipped = min(skipping, bytes.count)
    skipping -= skipped
    guard bytes.count - skipped >= FrameHeader.size else { return (.incomplete, skipped) }
    let header = FrameHeader(reading: UnsafeRawBufferPointer(rebasing: bytes[skipped...]))
    let length = Int(header.length)
    let bodyStart = skipped + FrameHeader.size
    guard length <= longest else {
      guard length <= Self.maximumSkippedLength else { return (.unskippable(header), bytes.count) }
      skipping = length
      return (.oversize(header), bodyStart)
    }
    guard bytes.count - bodyStart >= length else { return (.incomplete, skipped) }
    return (.frame(header, body: bodyStart..<(bodyStart + length)), bodyStart + length)
  }
}
