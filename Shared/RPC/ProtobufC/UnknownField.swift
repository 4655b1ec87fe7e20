public import CProtobufC

/// A field that the message's type does not declare. Only messages that are open to extensions keep them, because
/// custom options are encoded that way.
public struct UnknownField: Sendable, Equatable {
  /// Field number.
  public var number: UInt32
  /// protobuf's wire type: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes.
  public var wireType: UInt32
  /// The bytes on the wire after the tag, length included.
  public var bytes: [UInt8]

  public init(number: UInt32, wireType: UInt32, bytes: [UInt8]) {
    self.number = number
    self.wireType = wireType
    self.bytes = bytes
  }

  /// The number, when the field is a varint: the value of an extension that is an enum, a bool or a whole number.
  public var varint: UInt64? {
    guard wireType == 0 else { return nil }
    var value: UInt64 = 0
    for (index, byte) in bytes.enumerated() where index < 10 { value |= UInt64(byte & 0x7f) << UInt64(7 * index) }
    return value
  }

  /// The bytes after the length, when the field is text, bytes or a message.
  public var content: ArraySlice<UInt8>? {
    guard wireType == 2, let lengthEnd = bytes.firstIndex(where: { $0 < 0x80 }) else { return nil }
    return bytes[(lengthEnd + 1)...]
  }
}

extension Array where Element == UnknownField {
  /// The unknown fields of a message.
  public static func readAll(_ message: ProtobufCMessage) -> [UnknownField] {
    UnsafeBufferPointer(start: message.unknown_fields, count: Int(message.n_unknown_fields)).map {
      UnknownField(
        number: $0.tag, wireType: UInt32($0.wire_type.rawValue),
        bytes: [UInt8](UnsafeBufferPointer(start: $0.data, count: $0.len)))
    }
  }

  /// The varint with this field number; the last one counts, as in protobuf.
  public func varint(_ number: UInt32) -> UInt64? { last { $0.number == number }?.varint }
}

extension Arena {
  /// Adds unknown fields to a message's C struct.
  public func write(_ fields: [UnknownField], to message: inout ProtobufCMessage) {
    let copies = room(for: ProtobufCMessageUnknownField.self, count: fields.count)
    for (index, field) in fields.enumerated() {
      let bytes = copy(field.bytes)
      copies?[index] = ProtobufCMessageUnknownField(
        tag: field.number, wire_type: ProtobufCWireType(field.wireType), len: bytes.len, data: bytes.data)
    }
    message.n_unknown_fields = UInt32(fields.count)
    message.unknown_fields = copies
  }
}
