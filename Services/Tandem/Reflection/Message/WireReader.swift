/// Bytes that are not a valid message of the type.
public struct WireError: Error, Equatable, CustomStringConvertible {
  public let description: String
}

/// Reads protobuf's wire format.
struct WireReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func varint() throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw WireError(description: "a number is cut off") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw WireError(description: "a number is longer than 10 bytes")
  }

  mutating func fixed32() throws(WireError) -> UInt32 {
    UInt32(truncatingIfNeeded: try littleEndian(4))
  }

  mutating func fixed64() throws(WireError) -> UInt64 {
    try littleEndian(8)
  }

  private mutating func littleEndian(_ count: Int) throws(WireError) -> UInt64 {
    try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func delimited() throws(WireError) -> ArraySlice<UInt8> {
    let length = try varint()
    guard length <= UInt64(rest.count) else { throw WireError(description: "a field is cut off") }
    return try take(Int(length))
  }

  private mutating func take(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw WireError(description: "a field is cut off") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func tag() throws(WireError) -> (number: Int32, wireType: UInt8) {
    let tag = try varint()
    guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw WireError(description: "there is no field \(tag >> 3)") }
    return (Int32(tag >> 3), UInt8(tag & 7))
  }

  /// Skips the value of an unknown field.
  mutating func skip(_ number: Int32, _ wireType: UInt8, depth: Int = 0) throws(WireError) {
    switch wireType {
    case 0: _ = try varint()
    case 1: _ = try take(8)
    case 2: _ = try delimited()
    case 3: try skipGroup(number, depth: depth + 1)
    case 5: _ = try take(4)
    default: throw WireError(description: "field \(number) has the unknown wire type \(wireType)")
    }
  }

  private mutating func skipGroup(_ group: Int32, depth: Int) throws(WireError) {
    guard depth < JSONParser.deepestNesting else { throw WireError(description: "groups are nested too deep") }
    while true {
      let (number, wireType) = try tag()
      if wireType == 4 {
        guard number == group else { throw WireError(description: "group \(group) has the wrong end") }
        return
      }
      try skip(number, wireType, depth: depth)
    }
  }
}

/// Writes protobuf's wire format.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  mutating func fixed(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func delimited(_ value: some Collection<UInt8>) {
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func tag(_ number: Int32, _ wireType: UInt8) {
    varint(UInt64(number) << 3 | UInt64(wireType))
  }
}
