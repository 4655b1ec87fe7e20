import Reflection

/// A declaration of the contract, formatted as in its proto file or as JSON.
struct SymbolDescription {
  let text: String
  let json: JSONValue

  /// - Parameter name: of a service, a method, a message or an enum, with dots.
  init?(_ name: String, in schema: Schema) {
    if let service = schema.services[name] {
      self.init(service)
    } else if let type = schema.messages[name] {
      self.init(text: Self.text(type, schema), json: Self.json(type, schema))
    } else if let type = schema.enums[name] {
      self.init(text: Self.text(type), json: Self.json(type))
    } else if let parts = MethodName(name), let method = schema.services[parts.service]?.method(named: parts.method) {
      let messages = [method.input, method.output].compactMap { schema.messages[$0] }
      let enums = Set(messages.flatMap(\.fields).compactMap(\.kind.enumName)).sorted().compactMap { schema.enums[$0] }
      self.init(
        text: ([Self.text(method, indent: "")] + messages.map { Self.text($0, schema) } + enums.map(Self.text))
          .joined(separator: "\n\n"),
        json: Self.json(method))
    } else {
      return nil
    }
  }

  private init(text: String, json: JSONValue) {
    self.text = text
    self.json = json
  }

  private init(_ service: ServiceType) {
    let methods = service.methods.map { Self.text($0, indent: "  ") }.joined(separator: "\n\n")
    text = Self.comment(service.comment, "") + "service \(service.fullName) {\n\(methods)\n}"
    json = .members([
      "service": .string(service.fullName), "comment": .string(service.comment),
      "methods": .array(service.methods.map(Self.json)),
    ])
  }

  // MARK: As a proto file

  private static func comment(_ text: String, _ indent: String) -> String {
    if text.isEmpty { return "" }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "\(indent)//\n" : "\(indent)// \($0)\n" }.joined()
  }

  private static func text(_ method: MethodType, indent: String) -> String {
    let (input, output) = (
      (method.clientStreams ? "stream " : "") + method.input, (method.serverStreams ? "stream " : "") + method.output
    )
    let access = method.access.map { "access: \($0)\(callers(of: method))" }
    let size = method.maxRequestBytes.map { "messages of at most \($0) bytes" }
    let facts = [access, method.isIdempotent ? "idempotent" : nil, size].compactMap { $0 }.joined(separator: ", ")
    return comment(method.comment, indent) + "\(indent)rpc \(method.name)(\(input)) returns (\(output));"
      + (facts.isEmpty ? "" : "  // \(facts)")
  }

  /// " (catalog, lending)", or " (at catalog: identity, lending; at importer: identity)".
  private static func callers(of method: MethodType) -> String {
    if method.callers.isEmpty { return "" }
    let lists = method.callers.sorted { $0.key < $1.key }.map { server, names in
      (server.isEmpty ? "" : "at \(server): ") + names.joined(separator: ", ")
    }
    return " (\(lists.joined(separator: "; ")))"
  }

  private static func text(_ type: MessageType, _ schema: Schema) -> String {
    let fields = type.fields.map { field in
      let label =
        switch field.cardinality {
        case .repeated: mapTypes(field, schema) == nil ? "repeated " : ""
        case .explicit where field.oneof == nil && !field.kind.isMessageKind: "optional "
        default: ""
        }
      let suffix = field.oneof.map { "  // one of \($0)" } ?? ""
      return comment(field.comment, "  ")
        + "  \(label)\(mapTypes(field, schema) ?? field.kind.name) \(field.name) = \(field.number);\(suffix)"
    }
    let body = fields.isEmpty ? "{}" : "{\n\(fields.joined(separator: "\n"))\n}"
    return comment(type.comment, "") + "message \(type.fullName) \(body)"
  }

  private static func mapTypes(_ field: Field, _ schema: Schema) -> String? {
    guard case .message(let name) = field.kind, let entry = schema.messages[name], entry.isMapEntry,
      let key = entry.field(numbered: 1), let value = entry.field(numbered: 2)
    else { return nil }
    return "map<\(key.kind.name), \(value.kind.name)>"
  }

  private static func text(_ type: EnumType) -> String {
    let values = type.values.map { comment($0.comment, "  ") + "  \($0.name) = \($0.number);" }
    return comment(type.comment, "") + "enum \(type.fullName) {\n\(values.joined(separator: "\n"))\n}"
  }

  // MARK: As JSON

  private static func json(_ method: MethodType) -> JSONValue {
    .members([
      "method": .string(method.name), "comment": .string(method.comment), "request": .string(method.input),
      "response": .string(method.output), "clientStreams": .bool(method.clientStreams),
      "serverStreams": .bool(method.serverStreams), "access": method.access.map(JSONValue.string) ?? .null,
      "idempotent": .bool(method.isIdempotent), "callers": .array(callers(of: method)),
      "maxRequestBytes": method.maxRequestBytes.map { .integer(Int64($0)) } ?? .null,
    ])
  }

  private static func callers(of method: MethodType) -> [JSONValue] {
    method.callers.sorted { $0.key < $1.key }.map { server, names in
      .members([
        "server": server.isEmpty ? .null : .string(server), "names": .array(names.map(JSONValue.string)),
      ])
    }
  }

  private static func json(_ type: MessageType, _ schema: Schema) -> JSONValue {
    let fields = type.fields.map { field -> JSONValue in
      let isRepeated = if case .repeated = field.cardinality { true } else { false }
      return .members([
        "name": .string(field.name), "jsonName": .string(field.jsonName), "number": .integer(field.number),
        "type": .string(mapTypes(field, schema) ?? field.kind.name), "repeated": .bool(isRepeated),
        "oneof": field.oneof.map(JSONValue.string) ?? .null, "comment": .string(field.comment),
      ])
    }
    return .members([
      "message": .string(type.fullName), "comment": .string(type.comment), "fields": .array(fields),
    ])
  }

  private static func json(_ type: EnumType) -> JSONValue {
    let values = type.values.map { value -> JSONValue in
      .members([
        "name": .string(value.name), "number": .integer(value.number), "comment": .string(value.comment),
      ])
    }
    return .members(["enum": .string(type.fullName), "comment": .string(type.comment), "values": .array(values)])
  }
}

extension Field.Kind {
  fileprivate var enumName: String? {
    if case .enumeration(let name) = self { name } else { nil }
  }

  fileprivate var isMessageKind: Bool {
    if case .message = self { true } else { false }
  }

  /// As a proto file names the type.
  fileprivate var name: String {
    switch self {
    case .enumeration(let name), .message(let name): name
    default: "\(self)"
    }
  }
}
