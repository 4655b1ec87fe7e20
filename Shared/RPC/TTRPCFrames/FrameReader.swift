import NIOCore

/// Decodes the buffers that a channel reads into frames, and keeps an incomplete frame for the next read.
///
/// A frame's body is passed on in place; only a frame that arrived in more than one read is copied, and nothing else is
/// kept. Bytes that are kept count against a budget as they arrive, so a peer is charged for what it sent and never for
/// the length that it announced.
@usableFromInline
package struct FrameReader {
  /// A frame, or a frame that is skipped.
  @usableFromInline
  package enum Event {
    case frame(FrameHeader, body: UnsafeRawBufferPointer)
    /// Longer than accepted: it is skipped.
    case oversize(FrameHeader)
    /// Longer than the most that is skipped: the connection is to be closed.
    case unskippable(FrameHeader)
    /// There is no budget to keep the frame until it is complete: it is skipped.
    case overBudget(FrameHeader)
  }

  /// The beginning of the frame in which the last read ended.
  @usableFromInline var unread = ByteBuffer()
  /// Bytes received so far.
  @usableFromInline package var received = 0
  /// Frames received completely so far, skipped ones included.
  @usableFromInline package var frames = 0

  @usableFromInline var decoder: FrameDecoder
  private let budget: ByteBudget?
  private var charged = 0

  /// Bytes of an unfinished frame that are not charged: an ordinary request is accepted however little is left of the
  /// budget.
  static let free = 4_096

  /// - Parameters:
  ///   - longest: bytes of the longest body that is accepted.
  ///   - budget: the budget of unfinished frames.
  package init(longest: Int = FrameHeader.maximumLength, budget: ByteBudget? = nil) {
    decoder = FrameDecoder(longest: longest)
    self.budget = budget
  }

  /// Whether a frame has begun that has not ended.
  package var isInFrame: Bool { unread.readableBytes > 0 || decoder.isSkipping }

  /// Calls `take` with every event in `buffer`, in order, until it returns `false` because it wants no more of them
  /// now.
  ///
  /// - Returns: the bytes that are left then, to be read later or dropped; `nil` when there are none.
  @inlinable
  @discardableResult
  package mutating func read(_ buffer: ByteBuffer, _ take: (Event) -> Bool) -> ByteBuffer? {
    var bytes = buffer
    received += bytes.readableBytes
    if unread.readableBytes > 0 {
      guard finishFrame(&bytes, take) else { return takeBack(bytes) }
    }
    guard bytes.readableBytes > 0 else { return nil }
    let (consumed, goesOn) = bytes.withUnsafeReadableBytes { decode($0, take) }
    bytes.moveReaderIndex(forwardBy: consumed)
    guard goesOn else { return takeBack(bytes) }
    guard bytes.readableBytes > 0 else { return nil }
    // Copied: keeping the buffer of the read would keep all of its memory.
    unread.writeBuffer(&bytes)
    return keepFrame(take) ? nil : takeBack(bytes)
  }

  @inlinable
  mutating func takeBack(_ rest: ByteBuffer) -> ByteBuffer {
    received -= rest.readableBytes
    return rest
  }

  /// Drops what is kept, at the end of reading.
  package mutating func close() {
    unread = ByteBuffer()
    budget?.give(back: charged)
    charged = 0
  }

  /// Appends what is missing to the unfinished frame, and no byte more. Returns whether more is wanted.
  @usableFromInline
  mutating func finishFrame(_ bytes: inout ByteBuffer, _ take: (Event) -> Bool) -> Bool {
    move(&bytes, until: FrameHeader.size)
    if let header = unreadHeader, header.length <= decoder.longest {
      move(&bytes, until: FrameHeader.size + Int(header.length))
    }
    let frame = unread
    let (consumed, goesOn) = frame.withUnsafeReadableBytes { decode($0, take) }
    if consumed == 0 { return keepFrame(take) }
    close()
    return goesOn
  }

  private mutating func move(_ bytes: inout ByteBuffer, until size: Int) {
    let missing = min(size - unread.readableBytes, bytes.readableBytes)
    guard missing > 0, var part = bytes.readSlice(length: missing) else { return }
    unread.writeBuffer(&part)
  }

  private var unreadHeader: FrameHeader? {
    guard unread.readableBytes >= FrameHeader.size else { return nil }
    return unread.withUnsafeReadableBytes { FrameHeader(reading: $0) }
  }

  /// Charges what is kept of the unfinished frame, or skips the frame. Returns whether more is wanted.
  @usableFromInline
  mutating func keepFrame(_ take: (Event) -> Bool) -> Bool {
    let due = max(0, unread.readableBytes - Self.free) - charged
    guard due > 0, let budget else { return true }
    if budget.take(due) {
      charged += due
      return true
    }
    guard let header = unreadHeader else { return true }
    decoder.skip(FrameHeader.size + Int(header.length) - unread.readableBytes)
    close()
    frames += 1
    return take(.overBudget(header))
  }

  /// Returns how many bytes were consumed, and whether more is wanted.
  @inlinable
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, _ take: (Event) -> Bool
  ) -> (consumed: Int, goesOn: Bool) {
    var done = 0
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let (step, consumed) = decoder.step(rest)
      done += consumed
      if step == .incomplete { return (done, true) }
      frames += 1
      let goesOn =
        switch step {
        case .frame(let header, let body):
          take(.frame(header, body: UnsafeRawBufferPointer(rebasing: rest[body])))
        case .oversize(let header): take(.oversize(header))
        case .unskippable(let header): take(.unskippable(header))
        case .incomplete: false
        }
      guard goesOn else { return (done, false) }
    }
  }
}
