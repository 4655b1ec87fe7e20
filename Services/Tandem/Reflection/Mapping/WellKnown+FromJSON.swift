extension Schema {
  func message(
    _ typeName: String, _ special: WellKnown, from json: JSONValue
  ) throws(MappingError) -> DynamicMessage {
    switch special {
    case .any: return try any(from: json)
    case .timestamp:
      guard let text = json.string, let (seconds, nanos) = TimeText.timestamp(text) else {
        throw MappingError("a timestamp such as \"2026-11-21T03:50:00Z\" should be here")
      }
      return Self.message(typeName, seconds, nanos)
    case .duration:
      guard let text = json.string, let (seconds, nanos) = TimeText.duration(text) else {
        throw MappingError("a duration such as \"1.5s\" should be here")
      }
      return Self.message(typeName, seconds, nanos)
    case .fieldMask: return try fieldMask(from: json)
    case .structure: return try structure(typeName, from: json)
    case .list: return try list(typeName, from: json)
    case .value: return try dynamicValue(typeName, from: json)
    default:
      guard let field = messages[typeName]?.field(numbered: 1) else {
        throw MappingError("the schema has no message \(typeName)")
      }
      return DynamicMessage(typeName: typeName, fields: [1: .one(try value(of: field.kind, from: json))])
    }
  }

  private static func message(_ typeName: String, _ seconds: Int64, _ nanos: Int32) -> DynamicMessage {
    DynamicMessage(typeName: typeName, fields: [1: .one(.signed(seconds)), 2: .one(.signed(Int64(nanos)))])
  }

  private func fieldMask(from json: JSONValue) throws(MappingError) -> DynamicMessage {
    guard let text = json.string else {
      throw MappingError("field names in one string, \"interests,timeZone\", should be here, not \(json.kind)")
    }
    let paths = text.split(separator: ",").map { DynamicValue.string(FieldMaskText.snakeCase($0)) }
    return DynamicMessage(typeName: WellKnown.fieldMask.rawValue, fields: paths.isEmpty ? [:] : [1: .many(paths)])
  }

  private func structure(_ typeName: String, from json: JSONValue) throws(MappingError) -> DynamicMessage {
    guard case .object(let members) = json else { throw MappingError("an object should be here, not \(json.kind)") }
    var entries: [DynamicValue] = []
    for member in members {
      let value = try at(member.name) { () throws(MappingError) in
        try message(WellKnown.value.rawValue, from: member.value)
      }
      entries.append(
        .message(
          DynamicMessage(
            typeName: "\(typeName).FieldsEntry", fields: [1: .one(.string(member.name)), 2: .one(.message(value))])))
    }
    return DynamicMessage(typeName: typeName, fields: entries.isEmpty ? [:] : [1: .many(entries)])
  }

  private func list(_ typeName: String, from json: JSONValue) throws(MappingError) -> DynamicMessage {
    guard case .array(let elements) = json else { throw MappingError("an array should be here, not \(json.kind)") }
    var values: [DynamicValue] = []
    for (index, element) in elements.enumerated() {
      values.append(
        .message(
          try at("[\(index)]") { () throws(MappingError) in try message(WellKnown.value.rawValue, from: element) }))
    }
    return DynamicMessage(typeName: typeName, fields: values.isEmpty ? [:] : [1: .many(values)])
  }

  private func dynamicValue(_ typeName: String, from json: JSONValue) throws(MappingError) -> DynamicMessage {
    let (number, value): (Int32, DynamicValue) =
      switch json {
      case .null: (1, .enumeration(0))
      case .number: (2, .double(try Self.floatingPoint(json)))
      case .string(let text): (3, .string(text))
      case .bool(let value): (4, .bool(value))
      case .object: (5, .message(try message(WellKnown.structure.rawValue, from: json)))
      case .array: (6, .message(try message(WellKnown.list.rawValue, from: json)))
      }
    return DynamicMessage(typeName: typeName, fields: [number: .one(value)])
  }

  private func any(from json: JSONValue) throws(MappingError) -> DynamicMessage {
    guard case .object(let members) = json else { throw MappingError("an object should be here, not \(json.kind)") }
    if members.isEmpty { return DynamicMessage(typeName: WellKnown.any.rawValue) }
    guard let url = json["@type"]?.string else {
      throw MappingError("\"@type\" with the message's type should be here: \"type.googleapis.com/package.Message\"")
    }
    let name = Self.typeName(of: url)
    let content = JSONValue.object(members.filter { $0.name != "@type" })
    let packed: DynamicMessage
    if WellKnown(rawValue: name) == nil {
      packed = try message(name, from: content)
    } else {
      guard let value = content["value"], content.members?.count == 1 else {
        throw MappingError("\(name) within an Any is written {\"@type\": …, \"value\": …}")
      }
      packed = try message(name, from: value)
    }
    return DynamicMessage(
      typeName: WellKnown.any.rawValue, fields: [1: .one(.string(url)), 2: .one(.bytes(encode(packed)))])
  }
}
