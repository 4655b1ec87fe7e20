/// Iterates over the fields of an encoded message in place, copying nothing: for envelopes, and for messages of types that are known at
/// run time only.
///
/// Exactly as strict as libprotobuf-c: both accept the same bytes, with the same content. Fuzzing compares the two.
public struct WireReader {
  /// A field as it was sent.
  public struct Field {
    /// Its number in the contract.
    public let number: UInt32
    /// The bytes after the tag.
    public let content: Content

    @inlinable
    init(number: UInt32, content: Content) {
      self.number = number
      self.content = content
    }
  }

  /// The content of a field, by its wire type.
  public enum Content {
    case varint(UInt64)
    /// Text, bytes or a message.
    case delimited(UnsafeRawBufferPointer)
    /// Four bytes.
    case fixed32(UInt32)
    /// Eight bytes.
    case fixed64(UInt64)
  }

  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var position = 0

  /// A reader of the whole of `bytes`.
  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether everything was read.
  @inlinable public var isAtEnd: Bool { position == bytes.count }

  /// The next field; `nil` at the end.
  @inlinable @inline(__always)
  public mutating func next() throws(ProtobufError) -> Field? {
    guard position < bytes.count else { return nil }
    // Field number 0 does not exist.
    guard bytes[position] & 0xf8 != 0 else { throw .malformed }
    let tag = try varint(most: 5)
    let content: Content
    switch tag & 7 {
    case 0: content = .varint(try varint())
    case 1: content = .fixed64(try fixed64())
    case 2:
      // At most five bytes, of which 32 bits count.
      let length = UInt32(truncatingIfNeeded: try varint(most: 5))
      guard length <= Int32.max else { throw .malformed }
      content = .delimited(try take(Int(length)))
    case 5: content = .fixed32(try fixed32())
    default: throw .malformed
    }
    return Field(number: UInt32(truncatingIfNeeded: tag >> 3), content: content)
  }

  /// The next number of a packed field: a varint of at most `most` bytes; nearly always it has one.
  @inlinable @inline(__always)
  public mutating func varint(most: Int = 10) throws(ProtobufError) -> UInt64 {
    guard position < bytes.count, bytes[position] < 0x80 else { return try longVarint(most: most) }
    defer { position += 1 }
    return UInt64(bytes[position])
  }

  @inlinable
  mutating func longVarint(most: Int) throws(ProtobufError) -> UInt64 {
    let end = min(bytes.count, position + most)
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .malformed
  }

  /// The next number of a packed field, four bytes long.
  @inlinable
  public mutating func fixed32() throws(ProtobufError) -> UInt32 {
    UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self))
  }

  /// The next number of a packed field, eight bytes long.
  @inlinable
  public mutating func fixed64() throws(ProtobufError) -> UInt64 {
    UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
  }

  @inlinable @inline(__always)
  mutating func take(_ count: Int) throws(ProtobufError) -> UnsafeRawBufferPointer {
    guard count <= bytes.count - position else { throw .malformed }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}
