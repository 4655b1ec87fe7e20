public import CProtobufC

// How generated code reads values from C structs. Inlined, because each function runs once for every field of every
// message.

extension ProtobufCBinaryData {
  /// The text, checked for UTF-8. `field` names it in the error.
  @inlinable @inline(__always)
  public func text(_ field: StaticString) throws(ProtobufError) -> String {
    guard len > 0 else { return "" }
    guard let text = String(utf8: UnsafeRawBufferPointer(start: data, count: len)) else {
      throw .invalidUTF8(field: "\(field)")
    }
    return text
  }

  /// A copy of the bytes.
  @inlinable @inline(__always)
  public func array() -> [UInt8] { Array(UnsafeBufferPointer(start: data, count: len)) }
}

extension ProtobufMessage {
  /// The message of a pointer to its C struct, or nil.
  @inlinable @inline(__always)
  public static func read<C>(_ message: UnsafeMutablePointer<C>?) throws(ProtobufError) -> Self? {
    guard let message else { return nil }
    return try read(UnsafeRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self))
  }

  /// The message of a pointer that protobuf-c guarantees to be set: a chosen member of a oneof, a required field.
  @inlinable @inline(__always)
  public static func readPresent<C>(_ message: UnsafeMutablePointer<C>?) throws(ProtobufError) -> Self {
    guard let message else { throw .malformed }
    return try read(UnsafeRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self))
  }

  /// The messages of a repeated field.
  @inlinable
  public static func readAll<C>(
    _ messages: UnsafeMutablePointer<UnsafeMutablePointer<C>?>?, _ count: Int
  ) throws(ProtobufError) -> [Self] {
    guard let messages, count > 0 else { return [] }
    var all: [Self] = []
    all.reserveCapacity(count)
    for index in 0..<count { all.append(try readPresent(messages[index])) }
    return all
  }
}

extension ProtobufEnum {
  /// The values of a repeated field.
  @inlinable
  public static func readAll<C: RawRepresentable>(_ values: UnsafeMutablePointer<C>?, _ count: Int) -> [Self]
  where C.RawValue: FixedWidthInteger {
    guard let values else { return [] }
    return (0..<count).map { Self(rawValue: Int32(truncatingIfNeeded: values[$0].rawValue)) }
  }
}

extension String {
  /// The bytes as text; `nil` when they are not UTF-8.
  ///
  /// They are checked once, up to the first wrong byte. To decode leniently and compare is slower for valid text, and
  /// takes 25 ns for each byte that has to be repaired, some hundred thousand times as long for 4 MiB of them.
  @inlinable
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    let units = bytes.assumingMemoryBound(to: UInt8.self)
    do {
      self.init(copying: try UTF8Span(validating: units.span))
    } catch {
      return nil
    }
  }

  /// The texts of a repeated field.
  @inlinable
  public static func readAll(
    _ texts: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int, _ field: StaticString
  ) throws(ProtobufError) -> [String] {
    guard let texts, count > 0 else { return [] }
    var all: [String] = []
    all.reserveCapacity(count)
    for index in 0..<count { all.append(try texts[index].text(field)) }
    return all
  }
}

extension Array where Element == [UInt8] {
  /// The byte strings of a repeated field.
  @inlinable
  public static func readAll(_ strings: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int) -> [[UInt8]] {
    UnsafeBufferPointer(start: strings, count: count).map { $0.array() }
  }
}

extension Array where Element == Bool {
  /// The flags of a repeated field.
  @inlinable
  public static func readAll(_ flags: UnsafeMutablePointer<protobuf_c_boolean>?, _ count: Int) -> [Bool] {
    UnsafeBufferPointer(start: flags, count: count).map { $0 != 0 }
  }
}
