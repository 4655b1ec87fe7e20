extension Schema {
  /// How a message is converted to JSON.
  public struct Printing: Sendable {
    /// Fields with their default value, which are not on the wire, are included.
    public var showsDefaults = false

    /// The defaults of protobuf's JSON mapping.
    public init() {}
  }

  /// The message in protobuf's JSON mapping.
  ///
  /// - Throws: ``MappingError`` if the mapping has no form: a timestamp out of range, an `Any` of unknown type or malformed bytes.
  public func json(_ message: DynamicMessage, _ printing: Printing = Printing()) throws(MappingError) -> JSONValue {
    if let special = WellKnown(rawValue: message.typeName) { return try json(message, special, printing) }
    guard let type = messages[message.typeName] else {
      throw MappingError("the schema has no message \(message.typeName)")
    }
    var members: [JSONMember] = []
    for field in type.fields {
      let value: JSONValue? = try at(field.jsonName) { () throws(MappingError) in try json(field, of: message, printing)
      }
      if let value { members.append(JSONMember(field.jsonName, value)) }
    }
    return .object(members)
  }

  private func json(
    _ field: Field, of message: DynamicMessage, _ printing: Printing
  ) throws(MappingError) -> JSONValue? {
    let entry = mapEntry(of: field)
    switch message.fields[field.number] {
    case nil:
      guard printing.showsDefaults else { return nil }
      if case .repeated = field.cardinality { return entry == nil ? .array([]) : .object([]) }
      guard field.cardinality == .implicit, let value = field.kind.defaultValue else { return nil }
      return try json(value, of: field.kind, printing)
    case .one(let value):
      if field.cardinality == .implicit, value.isDefault, !printing.showsDefaults { return nil }
      return try json(value, of: field.kind, printing)
    case .many(let values):
      if let entry { return try json(values, mapOf: entry, printing) }
      var elements: [JSONValue] = []
      for (index, value) in values.enumerated() {
        elements.append(try at("[\(index)]") { () throws(MappingError) in try json(value, of: field.kind, printing) })
      }
      return elements.isEmpty && !printing.showsDefaults ? nil : .array(elements)
    }
  }

  /// The entry type of a map field; `nil` for other fields.
  func mapEntry(of field: Field) -> MessageType? {
    guard case .message(let name) = field.kind, let type = messages[name], type.isMapEntry else { return nil }
    return type
  }

  private func json(
    _ entries: [DynamicValue], mapOf type: MessageType, _ printing: Printing
  ) throws(MappingError) -> JSONValue {
    guard let keyField = type.field(numbered: 1), let valueField = type.field(numbered: 2) else { return .object([]) }
    var members: [String: JSONValue] = [:]
    for case .message(let entry) in entries {
      let key = try mapKey(entry.one(1) ?? keyField.kind.defaultValue, printing)
      let value = entry.one(2) ?? valueField.kind.defaultValue ?? emptyMessage(valueField.kind)
      // The last entry of a key wins.
      members[key] = try at("[\"\(key)\"]") { () throws(MappingError) in
        try json(value, of: valueField.kind, printing)
      }
    }
    return .object(members.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })
  }

  private func emptyMessage(_ kind: Field.Kind) -> DynamicValue {
    guard case .message(let name) = kind else { return .bool(false) }
    return .message(DynamicMessage(typeName: name))
  }

  private func mapKey(_ key: DynamicValue?, _ printing: Printing) throws(MappingError) -> String {
    switch key {
    case .string(let text): text
    case .signed(let number): String(number)
    case .unsigned(let number): String(number)
    case .bool(let value): String(value)
    default: throw MappingError("a map's key is neither a string nor a number nor a boolean")
    }
  }

  func json(_ value: DynamicValue, of kind: Field.Kind, _ printing: Printing) throws(MappingError) -> JSONValue {
    switch value {
    case .bool(let value): return .bool(value)
    // 64-bit integers are strings, as JSON parsers commonly keep 53 bits only.
    case .signed(let number): return kind.is64Bit ? .string(String(number)) : .number(String(number))
    case .unsigned(let number): return kind.is64Bit ? .string(String(number)) : .number(String(number))
    case .float(let number): return Self.json(number, number.description)
    case .double(let number): return Self.json(number, number.description)
    case .string(let text): return .string(text)
    case .bytes(let bytes): return .string(Base64.encode(bytes))
    case .message(let message): return try json(message, printing)
    case .enumeration(let number):
      guard case .enumeration(let name) = kind else { return .integer(number) }
      if name == "google.protobuf.NullValue" { return .null }
      return enums[name]?.name(of: number).map { .string($0) } ?? .integer(number)
    }
  }

  private static func json(_ number: some BinaryFloatingPoint, _ text: String) -> JSONValue {
    if number.isNaN { return .string("NaN") }
    if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
    return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}

extension Field.Kind {
  var is64Bit: Bool {
    switch self {
    case .int64, .sint64, .sfixed64, .uint64, .fixed64: true
    default: false
    }
  }
}
