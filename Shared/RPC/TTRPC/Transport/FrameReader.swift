import NIOCore

/// Turns the buffers that a channel reads into frames, keeping what is incomplete for the next read.
///
/// A frame's body is handed over where it lies; only a frame that came in more than one read is copied, and nothing else is kept. What is
/// kept counts against a budget as it comes in, so that a peer pays for what it sent and never for what it announced.
package struct FrameReader {
  /// What came in, besides whole frames.
  package enum Event {
    case frame(FrameHeader, body: UnsafeRawBufferPointer)
    /// Longer than is taken: it is skipped.
    case oversize(FrameHeader)
    /// Longer than is even skipped: the connection is to be closed.
    case unskippable(FrameHeader)
    /// There is no budget to keep its beginning until its end comes: it is skipped.
    case overBudget(FrameHeader)
  }

  /// The beginning of the frame that the last read ended in.
  private(set) var unread = ByteBuffer()
  /// Bytes that came in so far.
  private(set) var received = 0
  /// Frames that came in whole so far, skipped ones included.
  private(set) var frames = 0

  private var decoder: FrameDecoder
  private let budget: ByteBudget?
  private var charged = 0

  /// Bytes of an unfinished frame that cost nothing: an ordinary request is taken however little is left of the budget.
  static let free = 4_096

  /// - Parameters:
  ///   - longest: bytes of the longest body that is taken.
  ///   - budget: what unfinished frames count against.
  package init(longest: Int = FrameHeader.maximumLength, budget: ByteBudget? = nil) {
    decoder = FrameDecoder(longest: longest)
    self.budget = budget
  }

  /// Whether a frame has begun that has not ended.
  var isInFrame: Bool { unread.readableBytes > 0 || decoder.isSkipping }

  /// Hands every event in `buffer` to `take`, in order, until it returns `false` because it wants no more of them now.
  ///
  /// - Returns: what is left then, to be read on with or dropped; `nil` when nothing is.
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
    // Copied: keeping the buffer of the read would keep all that it once held.
    unread.writeBuffer(&bytes)
    return keepFrame(take) ? nil : takeBack(bytes)
  }

  private mutating func takeBack(_ rest: ByteBuffer) -> ByteBuffer {
    received -= rest.readableBytes
    return rest
  }

  /// Drops what is kept: nothing more is read.
  mutating func close() {
    unread = ByteBuffer()
    budget?.give(back: charged)
    charged = 0
  }

  /// Adds what is missing to the unfinished frame, and no byte more. Says whether more is wanted.
  private mutating func finishFrame(_ bytes: inout ByteBuffer, _ take: (Event) -> Bool) -> Bool {
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

  /// Pays for what is kept of the unfinished frame, or skips the frame. Says whether more is wanted.
  private mutating func keepFrame(_ take: (Event) -> Bool) -> Bool {
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

  /// Returns how many bytes are done with, and whether more is wanted.
  private mutating func decode(
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
