extension Schema {
  /// The message of the named type for a JSON value in protobuf's mapping.
  ///
  /// Field names may be in lower camel case or as in the proto file; `null` leaves a field unset.
  ///
  /// - Throws: ``MappingError`` for the first value that does not match, and for unknown fields.
  public func message(_ typeName: String, from json: JSONValue) throws(MappingError) -> DynamicMessage {
    if let special = WellKnown(rawValue: typeName) { return try message(typeName, special, from: json) }
    guard let type = messages[typeName] else { throw MappingError("the schema has no message \(typeName)") }
    // A date may be a string, besides the object of the mapping.
    if typeName == "google.type.Date", let text = json.string { return try date(text) }
    guard case .object(let members) = json else {
      throw MappingError("\(typeName) is an object, not \(json.kind)")
    }
    var message = DynamicMessage(typeName: typeName)
    var oneofs: [String: String] = [:]
    for member in members {
      guard let field = type.field(named: member.name) else { throw unknown(member.name, in: type) }
      guard message.fields[field.number] == nil else { throw MappingError("the field is given twice", at: member.name) }
      let content = try at(member.name) { () throws(MappingError) in try self.content(of: field, from: member.value) }
      guard let content else { continue }
      if let oneof = field.oneof, let other = oneofs.updateValue(member.name, forKey: oneof) {
        throw MappingError("only one of \(other) and \(member.name) may be given")
      }
      message.fields[field.number] = content
    }
    return message
  }

  private func unknown(_ name: String, in type: MessageType) -> MappingError {
    let names = type.fields.map(\.jsonName).joined(separator: ", ")
    return MappingError(
      "\(type.fullName) has no field \"\(name)\"; it has \(names.isEmpty ? "none" : names)")
  }

  private func content(of field: Field, from json: JSONValue) throws(MappingError) -> FieldContent? {
    if json == .null, !field.kind.takesNull { return nil }
    guard case .repeated = field.cardinality else { return .one(try value(of: field.kind, from: json)) }
    if let entry = mapEntry(of: field) { return .many(try entries(of: entry, from: json)) }
    guard case .array(let elements) = json else { throw MappingError("an array should be here, not \(json.kind)") }
    var values: [DynamicValue] = []
    for (index, element) in elements.enumerated() {
      values.append(
        try at("[\(index)]") { () throws(MappingError) in
          if element == .null, !field.kind.takesNull { throw MappingError("null is no element of a list") }
          return try value(of: field.kind, from: element)
        })
    }
    return .many(values)
  }

  private func entries(of entry: MessageType, from json: JSONValue) throws(MappingError) -> [DynamicValue] {
    guard case .object(let members) = json else { throw MappingError("an object should be here, not \(json.kind)") }
    guard let keyField = entry.field(numbered: 1), let valueField = entry.field(numbered: 2) else { return [] }
    var entries: [DynamicValue] = []
    for member in members {
      let (key, value) = try at("[\"\(member.name)\"]") { () throws(MappingError) in
        if member.value == .null, !valueField.kind.takesNull { throw MappingError("null is no value of a map") }
        return (
          try mapKey(keyField.kind, from: member.name), try self.value(of: valueField.kind, from: member.value)
        )
      }
      entries.append(.message(DynamicMessage(typeName: entry.fullName, fields: [1: .one(key), 2: .one(value)])))
    }
    return entries
  }

  private func mapKey(_ kind: Field.Kind, from name: String) throws(MappingError) -> DynamicValue {
    switch (kind, name) {
    case (.bool, "true"): return .bool(true)
    case (.bool, "false"): return .bool(false)
    case (.bool, _): throw MappingError("the key is neither true nor false")
    default: return try value(of: kind, from: .string(name))
    }
  }

  func value(of kind: Field.Kind, from json: JSONValue) throws(MappingError) -> DynamicValue {
    switch kind {
    case .double: return .double(try Self.floatingPoint(json))
    case .float: return .float(try Self.floatingPoint(json))
    case .int32, .sint32, .sfixed32: return .signed(Int64(try Self.integer(json, Int32.self)))
    case .int64, .sint64, .sfixed64: return .signed(try Self.integer(json, Int64.self))
    case .uint32, .fixed32: return .unsigned(UInt64(try Self.integer(json, UInt32.self)))
    case .uint64, .fixed64: return .unsigned(try Self.integer(json, UInt64.self))
    case .bool:
      guard case .bool(let value) = json else { throw MappingError("true or false should be here, not \(json.kind)") }
      return .bool(value)
    case .string:
      guard let text = json.string else { throw MappingError("a string should be here, not \(json.kind)") }
      return .string(text)
    case .bytes:
      guard let text = json.string else { throw MappingError("base64 in a string should be here, not \(json.kind)") }
      guard let bytes = Base64.decode(text) else { throw MappingError("the string is not base64") }
      return .bytes(bytes)
    case .enumeration(let name): return .enumeration(try enumeration(name, from: json))
    case .message(let name): return .message(try message(name, from: json))
    case .group: throw MappingError("groups are not supported")
    }
  }

  private func enumeration(_ typeName: String, from json: JSONValue) throws(MappingError) -> Int32 {
    if typeName == "google.protobuf.NullValue", json == .null { return 0 }
    guard case .string(let name) = json else { return try Self.integer(json, Int32.self) }
    guard let number = enums[typeName]?.number(of: name) else {
      let names = enums[typeName]?.values.map(\.name).joined(separator: ", ") ?? "none"
      throw MappingError("\(typeName) has no value \"\(name)\"; it has \(names)")
    }
    return number
  }

  private func date(_ text: String) throws(MappingError) -> DynamicMessage {
    guard let date = TimeText.date(text) else {
      throw MappingError("\"\(text)\" is no date; write \"2001-02-03\" or {\"year\": 2001, \"month\": 2, \"day\": 3}")
    }
    return DynamicMessage(
      typeName: "google.type.Date",
      fields: [
        1: .one(.signed(Int64(date.year))), 2: .one(.signed(Int64(date.month))), 3: .one(.signed(Int64(date.day))),
      ])
  }
}

extension Field.Kind {
  /// Whether `null` is a value of the type.
  fileprivate var takesNull: Bool {
    self == .message(WellKnown.value.rawValue) || self == .enumeration("google.protobuf.NullValue")
  }
}
