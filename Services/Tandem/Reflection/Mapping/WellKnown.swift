/// The message types with a special JSON form.
enum WellKnown: String {
  case any = "google.protobuf.Any"
  case timestamp = "google.protobuf.Timestamp"
  case duration = "google.protobuf.Duration"
  case fieldMask = "google.protobuf.FieldMask"
  case structure = "google.protobuf.Struct"
  case value = "google.protobuf.Value"
  case list = "google.protobuf.ListValue"
  case doubleValue = "google.protobuf.DoubleValue"
  case floatValue = "google.protobuf.FloatValue"
  case int64Value = "google.protobuf.Int64Value"
  case uint64Value = "google.protobuf.UInt64Value"
  case int32Value = "google.protobuf.Int32Value"
  case uint32Value = "google.protobuf.UInt32Value"
  case boolValue = "google.protobuf.BoolValue"
  case stringValue = "google.protobuf.StringValue"
  case bytesValue = "google.protobuf.BytesValue"
}

extension Schema {
  func json(
    _ message: DynamicMessage, _ special: WellKnown, _ printing: Printing
  ) throws(MappingError) -> JSONValue {
    switch special {
    case .any: return try jsonOfAny(message, printing)
    case .timestamp:
      let (seconds, nanos) = Self.secondsAndNanos(message)
      guard let text = TimeText.timestamp(seconds: seconds, nanos: nanos) else {
        throw MappingError("the timestamp of \(seconds) s and \(nanos) ns is out of range")
      }
      return .string(text)
    case .duration:
      let (seconds, nanos) = Self.secondsAndNanos(message)
      guard let text = TimeText.duration(seconds: seconds, nanos: nanos) else {
        throw MappingError("the duration of \(seconds) s and \(nanos) ns is out of range")
      }
      return .string(text)
    case .fieldMask:
      let paths = message.many(1).compactMap { if case .string(let path) = $0 { path } else { nil } }
      return .string(paths.map(FieldMaskText.camelCase).joined(separator: ","))
    case .structure:
      guard let field = messages[message.typeName]?.field(numbered: 1), let entry = mapEntry(of: field) else {
        return .object([])
      }
      return try json(message.many(1), mapOfValues: entry, printing)
    case .list:
      var elements: [JSONValue] = []
      for case .message(let element) in message.many(1) { elements.append(try json(element, printing)) }
      return .array(elements)
    case .value: return try jsonOfValue(message, printing)
    default:
      guard let field = messages[message.typeName]?.field(numbered: 1), let standard = field.kind.defaultValue else {
        throw MappingError("the schema has no message \(message.typeName)")
      }
      return try json(message.one(1) ?? standard, of: field.kind, printing)
    }
  }

  private static func secondsAndNanos(_ message: DynamicMessage) -> (Int64, Int32) {
    var (seconds, nanos) = (Int64(0), Int32(0))
    if case .signed(let value) = message.one(1) { seconds = value }
    if case .signed(let value) = message.one(2) { nanos = Int32(truncatingIfNeeded: value) }
    return (seconds, nanos)
  }

  private func json(
    _ entries: [DynamicValue], mapOfValues type: MessageType, _ printing: Printing
  ) throws(MappingError) -> JSONValue {
    var members: [JSONMember] = []
    for case .message(let entry) in entries {
      var name = ""
      if case .string(let text) = entry.one(1) { name = text }
      guard case .message(let value) = entry.one(2) else { continue }
      members.removeAll { $0.name == name }
      members.append(JSONMember(name, try json(value, printing)))
    }
    return .object(members.sorted { $0.name < $1.name })
  }

  private func jsonOfValue(_ message: DynamicMessage, _ printing: Printing) throws(MappingError) -> JSONValue {
    guard let (number, content) = message.fields.first, case .one(let value) = content else { return .null }
    let kind = messages[message.typeName]?.field(numbered: number)?.kind ?? .group
    return try json(value, of: kind, printing)
  }

  private func jsonOfAny(_ message: DynamicMessage, _ printing: Printing) throws(MappingError) -> JSONValue {
    guard case .string(let url) = message.one(1), !url.isEmpty else { return .object([]) }
    var bytes: [UInt8] = []
    if case .bytes(let value) = message.one(2) { bytes = value }
    return try json(any: url, bytes, printing)
  }

  /// The JSON form of a packed message: `{"@type": …}` with its fields, or with `value` if its type has a special form.
  public func json(
    any url: String, _ bytes: [UInt8], _ printing: Printing = Printing()
  ) throws(MappingError) -> JSONValue {
    let name = Self.typeName(of: url)
    let packed: DynamicMessage
    do { packed = try decode(bytes, as: name) } catch { throw MappingError("\(url): \(error)") }
    let type = JSONMember("@type", .string(url))
    let value = try json(packed, printing)
    if WellKnown(rawValue: name) == nil, case .object(let members) = value { return .object([type] + members) }
    return .object([type, JSONMember("value", value)])
  }

  static func typeName(of url: String) -> String {
    url.lastIndex(of: "/").map { String(url[url.index(after: $0)...]) } ?? url
  }
}

/// The paths of a `google.protobuf.FieldMask`: in lower camel case in JSON, with underscores on the wire.
enum FieldMaskText {
  static func camelCase(_ path: String) -> String {
    var text = ""
    var raisesNext = false
    for character in path {
      if character == "_" {
        raisesNext = true
      } else {
        text += raisesNext ? character.uppercased() : String(character)
        raisesNext = false
      }
    }
    return text
  }

  static func snakeCase(_ path: some StringProtocol) -> String {
    path.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
