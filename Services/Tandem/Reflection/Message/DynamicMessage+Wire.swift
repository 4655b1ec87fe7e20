extension Schema {
  /// Decodes a message of the named type; unknown fields are skipped.
  ///
  /// - Throws: ``WireError`` if the bytes are malformed, a string is not UTF-8, messages are nested deeper than 100, or the schema lacks a
  ///   type.
  public func decode(_ bytes: some Sequence<UInt8>, as typeName: String) throws(WireError) -> DynamicMessage {
    try decode(ArraySlice(bytes), as: typeName, depth: 0)
  }

  private func decode(_ bytes: ArraySlice<UInt8>, as name: String, depth: Int) throws(WireError) -> DynamicMessage {
    guard depth <= JSONParser.deepestNesting else { throw WireError(description: "messages are nested too deep") }
    guard let type = messages[name] else { throw WireError(description: "the schema has no message \(name)") }
    var reader = WireReader(bytes)
    var message = DynamicMessage(typeName: name)
    while !reader.isAtEnd {
      let (number, wireType) = try reader.tag()
      guard let field = type.field(numbered: number), field.kind != .group else {
        try reader.skip(number, wireType)
        continue
      }
      try read(field, wireType, from: &reader, into: &message, type, depth)
    }
    return message
  }

  private func read(
    _ field: Field, _ wireType: UInt8, from reader: inout WireReader, into message: inout DynamicMessage,
    _ type: MessageType, _ depth: Int
  ) throws(WireError) {
    if wireType == 2, field.kind.wireType != 2, case .repeated = field.cardinality {
      var packed = WireReader(try reader.delimited())
      var values = message.many(field.number)
      while !packed.isAtEnd { values.append(try value(of: field, from: &packed, depth)) }
      message.fields[field.number] = .many(values)
      return
    }
    guard wireType == field.kind.wireType else { return try reader.skip(field.number, wireType) }
    let value = try value(of: field, from: &reader, depth)
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

  private func value(of field: Field, from reader: inout WireReader, _ depth: Int) throws(WireError) -> DynamicValue {
    switch field.kind {
    case .double: return .double(Double(bitPattern: try reader.fixed64()))
    case .float: return .float(Float(bitPattern: try reader.fixed32()))
    case .bool: return .bool(try reader.varint() != 0)
    case .int32: return .signed(Int64(Int32(truncatingIfNeeded: try reader.varint())))
    case .int64: return .signed(Int64(bitPattern: try reader.varint()))
    case .sint32: return .signed(Int64(Int32(truncatingIfNeeded: Self.unzigzag(try reader.varint()))))
    case .sint64: return .signed(Self.unzigzag(try reader.varint()))
    case .sfixed32: return .signed(Int64(Int32(bitPattern: try reader.fixed32())))
    case .sfixed64: return .signed(Int64(bitPattern: try reader.fixed64()))
    case .uint32: return .unsigned(UInt64(UInt32(truncatingIfNeeded: try reader.varint())))
    case .uint64: return .unsigned(try reader.varint())
    case .fixed32: return .unsigned(UInt64(try reader.fixed32()))
    case .fixed64: return .unsigned(try reader.fixed64())
    case .enumeration: return .enumeration(Int32(truncatingIfNeeded: try reader.varint()))
    case .bytes: return .bytes(Array(try reader.delimited()))
    case .string:
      guard let text = String(validating: try reader.delimited(), as: UTF8.self) else {
        throw WireError(description: "\(field.name) is not UTF-8")
      }
      return .string(text)
    case .message(let name): return .message(try decode(try reader.delimited(), as: name, depth: depth + 1))
    case .group: throw WireError(description: "\(field.name) is a group, which is not read")
    }
  }

  private static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
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
