import ProtobufC

/// Bytes that are not a valid message of the type.
public struct WireError: Error, Equatable, CustomStringConvertible {
  public let description: String
}

extension Schema {
  /// Decodes a message of the named type; unknown fields are skipped.
  ///
  /// - Throws: ``WireError`` if the bytes are malformed, a string is not UTF-8, messages are nested deeper than 100, or the schema lacks a
  ///   type.
  public func decode(_ bytes: some Sequence<UInt8>, as typeName: String) throws(WireError) -> DynamicMessage {
    try Array(bytes).withUnsafeBufferPointer { bytes throws(WireError) in
      try decode(UnsafeRawBufferPointer(bytes), as: typeName, depth: 0)
    }
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, as name: String, depth: Int
  ) throws(WireError) -> DynamicMessage {
    guard depth <= JSONParser.deepestNesting else { throw WireError(description: "messages are nested too deep") }
    guard let type = messages[name] else { throw WireError(description: "the schema has no message \(name)") }
    var reader = WireReader(bytes)
    var message = DynamicMessage(typeName: name)
    while let part = try WireError.of({ () throws(ProtobufError) in try reader.next() }) {
      guard let field = type.field(numbered: Int32(bitPattern: part.number)), field.kind != .group else { continue }
      try read(field, part.content, into: &message, type, depth)
    }
    return message
  }

  private func read(
    _ field: Field, _ content: WireReader.Content, into message: inout DynamicMessage, _ type: MessageType, _ depth: Int
  ) throws(WireError) {
    if case .delimited(let bytes) = content, field.kind.wireType != 2, case .repeated = field.cardinality {
      var packed = WireReader(bytes)
      var values = message.many(field.number)
      while !packed.isAtEnd {
        let next = try WireError.of { () throws(ProtobufError) in try field.kind.next(of: &packed) }
        if let value = field.kind.number(next) { values.append(value) }
      }
      message.fields[field.number] = .many(values)
      return
    }
    // A field of another wire type counts as unknown.
    guard let value = try value(of: field, content, depth) else { return }
    if case .repeated = field.cardinality {
      message.fields[field.number] = .many(message.many(field.number) + [value])
      return
    }
    if let oneof = field.oneof {
      for other in type.fields where other.oneof == oneof && other.number != field.number {
        message.fields[other.number] = nil
      }
    }
    message.fields[field.number] = .one(message.one(field.number).map { merge($0, value) } ?? value)
  }

  /// Merges two occurrences of a singular field: the last value, or both messages merged.
  private func merge(_ old: DynamicValue, _ new: DynamicValue) -> DynamicValue {
    guard case .message(var merged) = old, case .message(let added) = new else { return new }
    for (number, content) in added.fields {
      switch (merged.fields[number], content) {
      case (.one(let old), .one(let new)): merged.fields[number] = .one(merge(old, new))
      case (.many(let old), .many(let new)): merged.fields[number] = .many(old + new)
      default: merged.fields[number] = content
      }
    }
    return .message(merged)
  }

  private func value(
    of field: Field, _ content: WireReader.Content, _ depth: Int
  ) throws(WireError) -> DynamicValue? {
    guard case .delimited(let bytes) = content else { return field.kind.number(content) }
    switch field.kind {
    case .bytes: return .bytes(Array(bytes))
    case .string:
      guard let text = String(utf8: bytes) else { throw WireError(description: "\(field.name) is not UTF-8") }
      return .string(text)
    case .message(let name): return .message(try decode(bytes, as: name, depth: depth + 1))
    default: return nil
    }
  }

  /// The message in wire format, in the order of field numbers.
  public func encode(_ message: DynamicMessage) -> [UInt8] {
    guard let type = messages[message.typeName] else { return [] }
    var writer = WireWriter()
    for field in type.fields.sorted(by: { $0.number < $1.number }) {
      switch (message.fields[field.number], field.cardinality) {
      case (nil, _): continue
      case (.one(let value), .implicit) where value.isDefault: continue
      case (.one(let value), _): write(value, of: field, to: &writer)
      case (.many(let values), .repeated(packed: true)) where !values.isEmpty:
        var packed = WireWriter()
        for value in values { write(bare: value, of: field.kind, to: &packed) }
        writer.tag(field.number, 2)
        writer.delimited(packed.bytes)
      case (.many(let values), _): for value in values { write(value, of: field, to: &writer) }
      }
    }
    return writer.bytes
  }

  private func write(_ value: DynamicValue, of field: Field, to writer: inout WireWriter) {
    writer.tag(field.number, field.kind.wireType)
    write(bare: value, of: field.kind, to: &writer)
  }

  private func write(bare value: DynamicValue, of kind: Field.Kind, to writer: inout WireWriter) {
    switch (value, kind) {
    case (.signed(let number), .sint32), (.signed(let number), .sint64):
      writer.varint(UInt64(bitPattern: number << 1 ^ number >> 63))
    case (.signed(let number), .sfixed32): writer.fixed(Int32(truncatingIfNeeded: number))
    case (.signed(let number), .sfixed64): writer.fixed(number)
    case (.signed(let number), _): writer.varint(UInt64(bitPattern: number))
    case (.unsigned(let number), .fixed32): writer.fixed(UInt32(truncatingIfNeeded: number))
    case (.unsigned(let number), .fixed64): writer.fixed(number)
    case (.unsigned(let number), _): writer.varint(number)
    case (.bool(let value), _): writer.varint(value ? 1 : 0)
    case (.enumeration(let number), _): writer.varint(UInt64(bitPattern: Int64(number)))
    case (.float(let value), _): writer.fixed(value.bitPattern)
    case (.double(let value), _): writer.fixed(value.bitPattern)
    case (.string(let text), _): writer.delimited(Array(text.utf8))
    case (.bytes(let bytes), _): writer.delimited(bytes)
    case (.message(let message), _): writer.delimited(encode(message))
    }
  }
}

extension Field.Kind {
  /// How a single value is framed on the wire.
  var wireType: UInt8 {
    switch self {
    case .double, .fixed64, .sfixed64: 1
    case .float, .fixed32, .sfixed32: 5
    case .string, .bytes, .message: 2
    case .group: 3
    case .bool, .int32, .int64, .sint32, .sint64, .uint32, .uint64, .enumeration: 0
    }
  }
}

extension Field.Kind {
  /// The value of a number as it was sent; `nil` for another wire type than the kind's.
  fileprivate func number(_ content: WireReader.Content) -> DynamicValue? {
    switch (self, content) {
    case (.double, .fixed64(let bits)): .double(Double(bitPattern: bits))
    case (.float, .fixed32(let bits)): .float(Float(bitPattern: bits))
    case (.sfixed32, .fixed32(let bits)): .signed(Int64(Int32(bitPattern: bits)))
    case (.sfixed64, .fixed64(let bits)): .signed(Int64(bitPattern: bits))
    case (.fixed32, .fixed32(let bits)): .unsigned(UInt64(bits))
    case (.fixed64, .fixed64(let bits)): .unsigned(bits)
    case (_, .varint(let value)): varint(value)
    default: nil
    }
  }

  /// The next number of a packed field.
  fileprivate func next(of packed: inout WireReader) throws(ProtobufError) -> WireReader.Content {
    switch wireType {
    case 1: .fixed64(try packed.fixed64())
    case 5: .fixed32(try packed.fixed32())
    default: .varint(try packed.varint())
    }
  }

  private func varint(_ value: UInt64) -> DynamicValue? {
    switch self {
    case .bool: .bool(value != 0)
    case .int32: .signed(Int64(Int32(truncatingIfNeeded: value)))
    case .int64: .signed(Int64(bitPattern: value))
    case .sint32: .signed(Int64(Int32(truncatingIfNeeded: Self.unzigzag(value))))
    case .sint64: .signed(Self.unzigzag(value))
    case .uint32: .unsigned(UInt64(UInt32(truncatingIfNeeded: value)))
    case .uint64: .unsigned(value)
    case .enumeration: .enumeration(Int32(truncatingIfNeeded: value))
    default: nil
    }
  }

  private static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

extension WireError {
  fileprivate static func of<Value>(_ read: () throws(ProtobufError) -> Value) throws(WireError) -> Value {
    do throws(ProtobufError) { return try read() } catch {
      throw WireError(description: "the bytes do not follow the wire format")
    }
  }
}
