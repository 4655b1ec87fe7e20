/// Writes the wire format of protocol buffers, for the few messages that this module sends and never reads.
///
/// OTLP's own messages are recursive, which generated code must not be.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
  }

  mutating func number(_ field: UInt64, _ value: UInt64) {
    tag(field, .varint)
    varint(value)
  }

  mutating func fixed64(_ field: UInt64, _ value: UInt64) {
    tag(field, .fixed64)
    append(littleEndian: value)
  }

  mutating func fixed32(_ field: UInt64, _ value: UInt32) {
    tag(field, .fixed32)
    append(littleEndian: value)
  }

  mutating func text(_ field: UInt64, _ value: String) {
    tag(field, .lengthDelimited)
    varint(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  /// Identifiers are bytes in network order.
  mutating func identifier(_ field: UInt64, _ words: UInt64...) {
    tag(field, .lengthDelimited)
    varint(UInt64(words.count * 8))
    for word in words { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
  }

  mutating func message(_ field: UInt64, _ write: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    write(&inner)
    tag(field, .lengthDelimited)
    varint(UInt64(inner.bytes.count))
    bytes.append(contentsOf: inner.bytes)
  }

  private mutating func tag(_ field: UInt64, _ type: WireType) {
    varint(field << 3 | type.rawValue)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func append(littleEndian value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
