import NIOCore

/// Turns the buffers that a channel reads into frames, keeping what is incomplete for the next read.
///
/// A frame's body is handed over where it lies; it is copied only when it came in more than one read.
package struct FrameReader {
  /// What came in, besides whole frames.
  package enum Event {
    case frame(FrameHeader, body: UnsafeRawBufferPointer)
    case oversize(FrameHeader)
    case unskippable(FrameHeader)
  }

  private(set) var unread: ByteBuffer?
  private var decoder = FrameDecoder()

  package init() {}

  /// Hands every event in `buffer` to `take`, in order, until it returns `false` because the connection is gone.
  package mutating func read(_ buffer: ByteBuffer, _ take: (Event) -> Bool) {
    var bytes = buffer
    if var held = unread {
      unread = nil
      held.writeBuffer(&bytes)
      bytes = held
    }
    guard let consumed = bytes.withUnsafeReadableBytes({ decode($0, take) }) else { return }
    bytes.moveReaderIndex(forwardBy: consumed)
    guard bytes.readableBytes > 0 else { return }
    // What was read would stay in front of every later read for as long as each of them ends within a frame.
    bytes.discardReadBytes()
    unread = bytes
  }

  /// Returns how many bytes are done with; `nil` when nobody wants the rest.
  private mutating func decode(_ bytes: UnsafeRawBufferPointer, _ take: (Event) -> Bool) -> Int? {
    var done = 0
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let (step, consumed) = decoder.step(rest)
      done += consumed
      let goesOn =
        switch step {
        case .frame(let header, let body):
          take(.frame(header, body: UnsafeRawBufferPointer(rebasing: rest[body])))
        case .oversize(let header): take(.oversize(header))
        case .unskippable(let header): take(.unskippable(header))
        case .incomplete: false
        }
      if step == .incomplete { return done }
      guard goesOn else { return nil }
    }
  }
}
