import NIOCore
import ProtobufC
import TTRPC

/// Frames to be sent: appended by the calls of a burst, written by one system call.
///
/// Confined to an event loop, as the arena it packs messages in.
@usableFromInline
package struct FrameBuffer {
  @usableFromInline var bytes = ByteBuffer()
  private let allocator: ByteBufferAllocator
  /// The size of the last burst, for the next: an idle connection holds no buffer.
  private var defaultSize = minCapacity

  /// How many of the frames begin or end a call.
  @usableFromInline package var calls = 0

  private static let minCapacity = 1_024
  private static let maxCapacity = 262_144

  package init(allocator: ByteBufferAllocator) {
    self.allocator = allocator
  }

  @inlinable
  package var isEmpty: Bool { bytes.readableBytes == 0 }
  @inlinable
  package var count: Int { bytes.readableBytes }

  /// Takes the frames to be sent, and starts afresh.
  package mutating func take() -> ByteBuffer {
    defaultSize = min(max(bytes.readableBytes, Self.minCapacity), Self.maxCapacity)
    defer {
      bytes = ByteBuffer()
      calls = 0
    }
    return bytes
  }

  /// The effect of an `append`.
  @usableFromInline
  package struct Growth {
    /// Why nothing was appended.
    @usableFromInline package let refusal: Status?
    /// Bytes before and after.
    @usableFromInline package let before: Int
    @usableFromInline package let after: Int
    @usableFromInline package let calls: Int

    @inlinable
    init(refusal: Status?, before: Int, after: Int, calls: Int) {
      self.refusal = refusal
      self.before = before
      self.after = after
      self.calls = calls
    }
  }

  /// Runs `append`, and returns its effect; in one access, because every access of its owner is checked at run time.
  @inlinable
  package mutating func grow(in arena: Arena, _ append: (inout FrameBuffer, Arena) -> Status?) -> Growth {
    let before = count
    let refusal = append(&self, arena)
    return Growth(refusal: refusal, before: before, after: count, calls: calls)
  }

  /// Removes what was appended after the first `count` bytes, which end with a frame.
  package mutating func cut(to count: Int) {
    bytes.withUnsafeReadableBytes { bytes in
      var place = count
      while place < bytes.count {
        let header = FrameHeader(reading: UnsafeRawBufferPointer(rebasing: bytes[place...]))
        if header.type != .data { calls -= 1 }
        place += FrameHeader.size + Int(header.length)
      }
    }
    bytes.moveWriterIndex(to: bytes.readerIndex + count)
  }

  /// Appends a Response with a message as its payload; an empty message makes an empty Response.
  ///
  /// - Returns: the status to send instead when the envelope would be too long; nothing is appended then.
  package mutating func appendResponse(_ packed: PackedMessage, on streamID: UInt32) -> Status? {
    let length = Envelope.fieldSize(packed.size)
    guard length <= FrameHeader.maximumLength else { return .tooLarge(length) }
    append(FrameHeader(length: UInt32(length), streamID: streamID, type: .response)) { body in
      if length > 0 { packed.copy(to: Envelope.writeField(2, size: packed.size, to: body)) }
    }
    return nil
  }

  /// Appends a Response that fails its call.
  package mutating func appendResponse(_ status: Status, on streamID: UInt32, in arena: Arena) {
    let packed = status.wire.packed(in: arena)
    let length = Envelope.fieldSize(packed.size)
    guard length <= FrameHeader.maximumLength else {
      return appendResponse(Status(status.code, "The error's own text is too long to send"), on: streamID, in: arena)
    }
    append(FrameHeader(length: UInt32(length), streamID: streamID, type: .response)) { body in
      packed.copy(to: Envelope.writeField(1, size: packed.size, to: body))
    }
  }

  /// Appends one message of a stream; the caller resets the arena that it was packed in.
  ///
  /// - Returns: the refusal when it is too long; nothing is appended then.
  package mutating func appendData(_ message: OutgoingMessage, on streamID: UInt32) -> Status? {
    let length = message.size
    guard length <= FrameHeader.maximumLength else { return .tooLarge(length) }
    append(FrameHeader(length: UInt32(length), streamID: streamID, type: .data)) { message.copy(to: $0) }
    return nil
  }

  /// Appends the end of this side of a stream.
  package mutating func appendEnd(on streamID: UInt32) {
    append(FrameHeader(length: 0, streamID: streamID, type: .data, flags: [.remoteClosed, .noData])) { _ in }
  }

  /// Appends the frame by which a client cancels a stream.
  package mutating func appendAbandonment(of streamID: UInt32) {
    append(FrameHeader(length: UInt32(StreamCancel.body.count), streamID: streamID, type: .data)) { body in
      body.copyMemory(from: StreamCancel.body, byteCount: StreamCancel.body.count)
    }
  }

  /// Appends a frame whose body, of the header's length, `write` fills in.
  package mutating func append(_ header: FrameHeader, _ write: (UnsafeMutableRawPointer) -> Void) {
    let size = FrameHeader.size + Int(header.length)
    if header.type != .data { calls += 1 }
    if bytes.capacity == 0 { bytes = allocator.buffer(capacity: max(defaultSize, size)) }
    bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      header.write(to: start)
      write(start + FrameHeader.size)
      return size
    }
  }
}

/// The envelopes `ttrpc.Request` and `ttrpc.Response`, written in place so that a message is packed straight into the
/// frame that carries it. All their fields are numbered below 16; as everywhere in protobuf, a field that is empty or 0
/// is left out.
package enum Envelope {
  /// The size of a length-delimited field with its tag and length; 0 where it is empty.
  package static func fieldSize(_ size: Int) -> Int {
    size == 0 ? 0 : presentFieldSize(size)
  }

  /// The size of a length-delimited field that is written even when it is empty: an element of a list.
  package static func presentFieldSize(_ size: Int) -> Int {
    1 + varintSize(UInt64(size)) + size
  }

  /// The size of a number's field.
  package static func fieldSize(number: UInt64) -> Int {
    number == 0 ? 0 : 1 + varintSize(number)
  }

  /// Writes a text field, and returns the address behind it.
  package static func write(_ number: UInt8, _ text: String, to start: UnsafeMutableRawPointer)
    -> UnsafeMutableRawPointer
  {
    var text = text
    return text.withUTF8 { utf8 in
      guard let bytes = utf8.baseAddress, utf8.count > 0 else { return start }
      let place = writeField(number, size: utf8.count, to: start)
      place.copyMemory(from: bytes, byteCount: utf8.count)
      return place + utf8.count
    }
  }

  /// Writes a number's field, and returns the address behind it.
  package static func write(_ number: UInt8, _ value: UInt64, to start: UnsafeMutableRawPointer)
    -> UnsafeMutableRawPointer
  {
    guard value != 0 else { return start }
    start.storeBytes(of: number << 3, as: UInt8.self)
    return writeVarint(value, to: start + 1)
  }

  /// Writes tag and length, and returns the address for the `size` bytes of content.
  package static func writeField(_ number: UInt8, size: Int, to start: UnsafeMutableRawPointer)
    -> UnsafeMutableRawPointer
  {
    let lengthDelimited: UInt8 = 2
    start.storeBytes(of: number << 3 | lengthDelimited, as: UInt8.self)
    return writeVarint(UInt64(size), to: start + 1)
  }

  private static func writeVarint(_ value: UInt64, to start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var place = start
    var rest = value
    while rest >= 0x80 {
      place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      place += 1
      rest >>= 7
    }
    place.storeBytes(of: UInt8(rest), as: UInt8.self)
    return place + 1
  }

  private static func varintSize(_ value: UInt64) -> Int {
    // 0 takes a byte too.
    (UInt64.bitWidth - (value | 1).leadingZeroBitCount + 6) / 7
  }
}

extension Status {
  /// The refusal of a message that exceeds ttrpc's limit, with the text of its other implementations.
  package static func tooLarge(_ length: Int, limit: Int = FrameHeader.maximumLength) -> Status {
    Status(
      .resourceExhausted, reason: ServerLimit.messageBytes.rawValue,
      "message length \(length) exceed maximum message size of \(limit)")
  }
}
