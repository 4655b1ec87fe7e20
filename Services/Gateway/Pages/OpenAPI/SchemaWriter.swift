import ProtobufDescriptor

/// Writes JSON schemas of messages and enums by protobuf's JSON mapping; those only that are referred to.
struct SchemaWriter {
  private let declarations: Declarations
  private var written: [String: JSONValue] = [:]
  /// Names that are referred to and have no schema yet.
  private var open: [String] = []
  private var known: Set<String> = []

  init(_ declarations: Declarations) { self.declarations = declarations }

  /// What stands for a message or an enum in another schema.
  ///
  /// - Parameter type: the full name, with the dot before it that descriptors have.
  mutating func reference(_ type: String?) -> JSONValue {
    let name = Self.bare(type)
    if let schema = Self.wellKnown[name] { return schema }
    if known.insert(name).inserted { open.append(name) }
    return ["$ref": .string("#/components/schemas/\(name)")]
  }

  /// The schemas of all that was referred to, in the order of their names.
  mutating func finished() -> [JSONValue.Member] {
    while let name = open.popLast() {
      if let message = declarations.messages[name] {
        written[name] = schema(of: message)
      } else if let type = declarations.enums[name] {
        written[name] = Self.schema(of: type)
      } else {
        written[name] = ["type": "object"]
      }
    }
    return written.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }
  }

  private static let wellKnown: [String: JSONValue] = [
    "google.protobuf.Timestamp": ["type": "string", "format": "date-time"],
    "google.protobuf.Duration": ["type": "string", "pattern": #"^-?[0-9]+(\.[0-9]{1,9})?s$"#],
    "google.protobuf.FieldMask": [
      "type": "string", "description": "Names of fields in camel case, separated by commas.",
    ],
  ]

  private mutating func schema(of message: Declarations.Message) -> JSONValue {
    var properties: [JSONValue.Member] = []
    for (field, comment) in zip(message.descriptor.field, message.fieldComments) {
      let schema = described(schema(of: field), comment)
      properties.append(.init(name: field.jsonName ?? field.name ?? "", value: schema))
    }
    let choices = Self.choices(of: message.descriptor)
    let text = ([message.comment] + choices).filter { !$0.isEmpty }.joined(separator: "\n\n")
    return described(["type": "object", "properties": .object(properties)], text)
  }

  /// What each oneof allows, in words.
  private static func choices(of message: DescriptorProto) -> [String] {
    message.oneofDecl.indices.compactMap { index in
      let fields = message.field.filter { $0.oneofIndex == Int32(index) && $0.proto3Optional != true }
      guard fields.count > 1 else { return nil }
      return "At most one of " + fields.map { "`\($0.jsonName ?? $0.name ?? "")`" }.joined(separator: ", ") + "."
    }
  }

  private mutating func schema(of field: FieldDescriptorProto) -> JSONValue {
    guard field.label == .repeated else { return value(of: field) }
    let entry = declarations.messages[Self.bare(field.typeName)]?.descriptor
    if let entry, entry.options?.mapEntry == true, let content = entry.field.first(where: { $0.number == 2 }) {
      return ["type": "object", "additionalProperties": value(of: content)]
    }
    return ["type": "array", "items": value(of: field)]
  }

  private mutating func value(of field: FieldDescriptorProto) -> JSONValue {
    switch field.type {
    case .double, .float:
      ["anyOf": [["type": "number"], ["type": "string", "enum": ["NaN", "Infinity", "-Infinity"]]]]
    case .int32, .sint32, .sfixed32: ["type": "integer", "format": "int32"]
    case .uint32, .fixed32: ["type": "integer", "minimum": .number(0), "maximum": .number(4_294_967_295)]
    case .int64, .sint64, .sfixed64: ["type": "string", "format": "int64", "pattern": "^-?[0-9]+$"]
    case .uint64, .fixed64: ["type": "string", "format": "uint64", "pattern": "^[0-9]+$"]
    case .bool: ["type": "boolean"]
    case .string: ["type": "string"]
    case .bytes: ["type": "string", "contentEncoding": "base64"]
    case .message, .`enum`: reference(field.typeName)
    case .group, .unrecognized, nil: ["type": "object"]
    }
  }

  private static func schema(of type: Declarations.Enumeration) -> JSONValue {
    let names = type.descriptor.value.map { $0.name ?? "" }
    let items = zip(names, type.valueComments).filter { !$0.1.isEmpty }.map { name, comment in
      "- `\(name)`: " + comment.split(separator: "\n").joined(separator: "\n  ")
    }
    let text = [type.comment, items.joined(separator: "\n")].filter { !$0.isEmpty }.joined(separator: "\n\n")
    let schema: JSONValue = ["type": "string", "enum": .array(names.map { .string($0) })]
    return text.isEmpty ? schema : .object(schema.members + [.init(name: "description", value: .string(text))])
  }

  /// Beside a reference a description is allowed since 3.1; a description of its own is not replaced by none.
  private func described(_ schema: JSONValue, _ comment: String) -> JSONValue {
    guard !comment.isEmpty else { return schema }
    return .object(
      schema.members.filter { $0.name != "description" } + [.init(name: "description", value: .string(comment))])
  }

  private static func bare(_ name: String?) -> String { String((name ?? "").drop { $0 == "." }) }
}
