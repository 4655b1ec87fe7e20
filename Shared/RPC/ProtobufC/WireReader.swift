/// Iterates over the fields of an encoded message in place: for envelopes, of which nothing is copied.
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
    /// Four or eight bytes.
    case fixed
  }

  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var position = 0

  /// A reader of the whole of `bytes`.
  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

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
    case 1: content = try fixed(8)
    case 2:
      // At most five bytes, of which 32 bits count.
      let length = UInt32(truncatingIfNeeded: try varint(most: 5))
      guard length <= Int32.max else { throw .malformed }
      content = .delimited(try take(Int(length)))
    case 5: content = try fixed(4)
    default: throw .malformed
    }
    return Field(number: UInt32(truncatingIfNeeded: tag >> 3), content: content)
  }

  /// A varint of at most `most` bytes; nearly always it has one.
  @inlinable @inline(__always)
  mutating func varint(most: Int = 10) throws(ProtobufError) -> UInt64 {
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

  @inlinable
  mutating func fixed(_ count: Int) throws(ProtobufError) -> Content {
    _ = try take(count)
    return .fixed
  }

  @inlinable @inline(__always)
  mutating func take(_ count: Int) throws(ProtobufError) -> UnsafeRawBufferPointer {
    guard count <= bytes.count - position else { throw .malformed }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}
