import ProtobufDescriptor

/// Writes the C of one module, which libprotobuf-c packs and unpacks by: a struct for each message and its descriptor, a line a field.
/// Functions that pack and unpack one message are left out, for the descriptors are enough.
///
/// - Strings are bytes: `char *` would end at the first NUL.
/// - proto3's `optional` is a oneof of one field; a message needs none, for it is absent as NULL.
struct CEmitter {
  let schema: Schema
  let module: ModuleMap.Module
  private let messages: [CMessage]
  private let enums: [CEnum]

  init(_ schema: Schema, _ module: ModuleMap.Module, _ files: [FileDescriptorProto]) {
    self.schema = schema
    self.module = module
    messages = files.flatMap { file in
      file.messageType.flatMap { CMessage.all(in: $0, file.scope, file.isProto3) }
    }
    enums = files.flatMap { file in
      file.enumType.map { CEnum(fullName: file.scope + $0.plainName, descriptor: $0) }
        + file.messageType.flatMap { CEnum.all(in: $0, file.scope) }
    }
  }

  /// The types, and what gives the address of each message's descriptor: Swift cannot take that of a constant.
  var header: String {
    var text = "\n"
    for message in messages { text += "typedef struct \(message.type) \(message.type);\n" }
    if !enums.isEmpty || messages.contains(where: { !$0.oneofs.isEmpty }) {
      text += "\n/* A value of an enum, or the number of the member of a oneof that is set. */\n"
      for name in enums.map(\.type) + messages.flatMap(\.caseTypes) {
        text += "typedef enum { \(name)_none = 0, \(name)_most = INT_MAX } \(name);\n"
      }
    }
    for message in messages { text += message.structure }
    text += "\n"
    for enumeration in enums { text += "extern const ProtobufCEnumDescriptor \(enumeration.symbol)__descriptor;\n" }
    for message in messages {
      let (symbol, type) = (message.symbol, "const ProtobufCMessageDescriptor")
      text += "extern \(type) \(symbol)__descriptor;\n"
      text += "static inline \(type) *\(symbol)__descriptor_address(void) { return &\(symbol)__descriptor; }\n"
    }
    return text
  }

  /// The headers of the modules whose messages and enums are named.
  var imports: [String] {
    Set(messages.flatMap(\.fields).filter { $0.field.isReference }.map { schema.entry($0.field.referencedType).module })
      .subtracting([module.name]).sorted().map { "C\($0).h" }
  }

  /// The descriptors.
  var source: String {
    var text = Self.macros
    for enumeration in enums { text += enumeration.source }
    for message in messages { text += message.source }
    return text
  }

  private static let macros = """

    /* The fields of a message M. */
    #define FIELD(label, type, number, name, member, of) \\
      {name, number, PROTOBUF_C_LABEL_##label, PROTOBUF_C_TYPE_##type, 0, offsetof(M, member), of, NULL, 0, 0, NULL, NULL},
    #define FLAGGED(flags, quantifier, label, type, number, name, member, of) \\
      {name, number, PROTOBUF_C_LABEL_##label, PROTOBUF_C_TYPE_##type, offsetof(M, quantifier), offsetof(M, member), of, NULL, flags, 0, NULL, NULL},
    #define OPTIONAL(...) FLAGGED(0, __VA_ARGS__)
    #define REPEATED(...) FLAGGED(0, __VA_ARGS__)
    #define PACKED(...) FLAGGED(PROTOBUF_C_FIELD_FLAG_PACKED, __VA_ARGS__)
    #define ONEOF(...) FLAGGED(PROTOBUF_C_FIELD_FLAG_ONEOF, __VA_ARGS__)

    /* Zeroed, a message has its defaults; those of proto2 do not matter while unset. */
    #define INIT(symbol) \\
      static void symbol##__init(ProtobufCMessage *message) { \\
        memset(message, 0, sizeof(M)); \\
        message->descriptor = &symbol##__descriptor; \\
      }
    #define MESSAGE(symbol, name) INIT(symbol) \\
      const ProtobufCMessageDescriptor symbol##__descriptor = { \\
        PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, name, "", "", "", sizeof(M), sizeof symbol##__fields / sizeof symbol##__fields[0], \\
        symbol##__fields, symbol##__by_name, sizeof symbol##__ranges / sizeof symbol##__ranges[0] - 1, symbol##__ranges, \\
        symbol##__init, NULL, NULL, NULL};
    #define EMPTY(symbol, name) INIT(symbol) \\
      const ProtobufCMessageDescriptor symbol##__descriptor = { \\
        PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, name, "", "", "", sizeof(M), 0, NULL, NULL, 0, NULL, symbol##__init, NULL, NULL, NULL};
    #define ENUM(symbol, name) \\
      const ProtobufCEnumDescriptor symbol##__descriptor = { \\
        PROTOBUF_C__ENUM_DESCRIPTOR_MAGIC, name, "", "", "", sizeof symbol##__values / sizeof symbol##__values[0], symbol##__values, \\
        0, NULL, sizeof symbol##__ranges / sizeof symbol##__ranges[0] - 1, symbol##__ranges, NULL, NULL, NULL, NULL};

    """
}

/// A message as C has it.
private struct CMessage {
  let fullName: String
  let descriptor: DescriptorProto
  let isProto3: Bool
  let fields: [CField]

  /// The message and those nested in it.
  static func all(in message: DescriptorProto, _ scope: String, _ isProto3: Bool) -> [CMessage] {
    let name = scope + message.plainName
    return [CMessage(name, message, isProto3)] + message.nestedType.flatMap { all(in: $0, name + ".", isProto3) }
  }

  private init(_ fullName: String, _ descriptor: DescriptorProto, _ isProto3: Bool) {
    self.fullName = fullName
    self.descriptor = descriptor
    self.isProto3 = isProto3
    fields = descriptor.field.map { CField($0, of: descriptor, isProto3) }
  }

  var type: String { CName.type(fullName) }
  var symbol: String { CName.function(fullName) }

  /// The oneofs that are one in C.
  var oneofs: [(name: String, members: [CField])] {
    descriptor.oneofDecl.enumerated().compactMap { place, oneof in
      let members = fields.filter { $0.oneof == Int32(place) }
      return members.isEmpty ? nil : (oneof.name ?? "", members)
    }
  }

  var caseTypes: [String] { oneofs.map { caseType($0.name) } }

  private func caseType(_ oneof: String) -> String { "\(type)__\(CName.type(oneof))Case" }

  var structure: String {
    var text = "\nstruct \(type) {\n  ProtobufCMessage base;\n"
    for field in fields where field.oneof == nil { text += field.member }
    for (name, members) in oneofs {
      text += "  \(caseType(name)) \(CName.oneofCase(name));\n"
      text += "  union {\n\(members.map { "  " + $0.member }.joined())  };\n"
    }
    return text + "};\n"
  }

  var source: String {
    let sorted = fields.sorted { $0.number < $1.number }
    var text = "\n#define M \(type)\n"
    guard !sorted.isEmpty else { return text + "EMPTY(\(symbol), \"\(fullName)\")\n#undef M\n" }
    text += "static const ProtobufCFieldDescriptor \(symbol)__fields[] = {\n"
    text += sorted.map { "  \($0.line(in: descriptor))\n" }.joined()
    let byName = sorted.indices.sorted {
      Array(sorted[$0].name.utf8).lexicographicallyPrecedes(Array(sorted[$1].name.utf8))
    }
    text += "};\nstatic const unsigned \(symbol)__by_name[] = {\(byName.map(String.init).joined(separator: ", "))};\n"
    text += "static const ProtobufCIntRange \(symbol)__ranges[] = {\(CRange.all(of: sorted.map(\.number)))};\n"
    return text + "MESSAGE(\(symbol), \"\(fullName)\")\n#undef M\n"
  }
}

/// A field as C has it.
private struct CField {
  let field: FieldDescriptorProto
  /// The index of its oneof, if it is a member of one in C.
  let oneof: Int32?
  private let isProto3: Bool

  init(_ field: FieldDescriptorProto, of message: DescriptorProto, _ isProto3: Bool) {
    self.field = field
    self.isProto3 = isProto3
    oneof = field.proto3Optional == true && field.type == .message ? nil : field.oneofIndex
  }

  var name: String { field.plainName }
  var number: Int32 { field.number ?? 0 }

  /// Whether a `has_…` says that it is set.
  private var hasFlag: Bool { !isProto3 && field.label == .optional && field.type != .message && oneof == nil }

  /// Its lines of the struct.
  var member: String {
    let name = CName.plainField(self.name)
    if field.label == .repeated { return "  size_t n_\(name);\n  \(type)*\(name);\n" }
    return (hasFlag ? "  protobuf_c_boolean has_\(name);\n" : "") + "  \(type)\(name);\n"
  }

  /// With what stands between it and the name.
  private var type: String {
    switch field.type {
    case .message?: "\(CName.type(String(field.referencedType.dropFirst()))) *"
    case .enum?: "\(CName.type(String(field.referencedType.dropFirst()))) "
    case .string?, .bytes?: "ProtobufCBinaryData "
    case .bool?: "protobuf_c_boolean "
    case .double?: "double "
    case .float?: "float "
    case .int64?, .sint64?, .sfixed64?: "int64_t "
    case .uint64?, .fixed64?: "uint64_t "
    case .uint32?, .fixed32?: "uint32_t "
    default: "int32_t "
    }
  }

  /// Its line among the descriptors.
  func line(in message: DescriptorProto) -> String {
    let member = CName.plainField(name)
    let of = field.isReference ? "&\(CName.function(String(field.referencedType.dropFirst())))__descriptor" : "NULL"
    let rest = "\(label), \(kind), \(number), \"\(name)\", \(member), \(of))"
    if field.label == .repeated { return "\(isPacked ? "PACKED" : "REPEATED")(n_\(member), \(rest)" }
    if let oneof { return "ONEOF(\(CName.oneofCase(message.oneofDecl[Int(oneof)].name ?? "")), \(rest)" }
    return hasFlag ? "OPTIONAL(has_\(member), \(rest)" : "FIELD(\(rest)"
  }

  private var label: String {
    switch field.label {
    case .repeated?: "REPEATED"
    case .required?: "REQUIRED"
    default: isProto3 ? "NONE" : "OPTIONAL"
    }
  }

  private var kind: String {
    switch field.type {
    case .string?, .bytes?: "BYTES"
    case .message?: "MESSAGE"
    case .enum?: "ENUM"
    case .bool?: "BOOL"
    case .double?: "DOUBLE"
    case .float?: "FLOAT"
    case .int64?: "INT64"
    case .sint64?: "SINT64"
    case .sfixed64?: "SFIXED64"
    case .uint64?: "UINT64"
    case .fixed64?: "FIXED64"
    case .uint32?: "UINT32"
    case .fixed32?: "FIXED32"
    case .sint32?: "SINT32"
    case .sfixed32?: "SFIXED32"
    default: "INT32"
    }
  }

  private var isPacked: Bool {
    let isNumber = field.type != .string && field.type != .bytes && field.type != .message
    return isNumber && (field.options?.packed ?? isProto3)
  }
}

/// An enum as C has it.
private struct CEnum {
  let fullName: String
  let descriptor: EnumDescriptorProto

  /// Those nested in a message.
  static func all(in message: DescriptorProto, _ scope: String) -> [CEnum] {
    let name = "\(scope)\(message.plainName)."
    return message.enumType.map { CEnum(fullName: name + $0.plainName, descriptor: $0) }
      + message.nestedType.flatMap { all(in: $0, name) }
  }

  var type: String { CName.type(fullName) }
  var symbol: String { CName.function(fullName) }

  var source: String {
    var seen: Set<Int32> = []
    let values = descriptor.value.filter { seen.insert($0.number ?? 0).inserted }
      .sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    var text = "\nstatic const ProtobufCEnumValue \(symbol)__values[] = {\n"
    text += values.map { "  {\"\($0.name ?? "")\", \"\", \($0.number ?? 0)},\n" }.joined()
    text +=
      "};\nstatic const ProtobufCIntRange \(symbol)__ranges[] = {\(CRange.all(of: values.map { $0.number ?? 0 }))};\n"
    return text + "ENUM(\(symbol), \"\(fullName)\")\n"
  }
}

/// How libprotobuf-c finds a number: each run of numbers that follow each other, and where it begins.
private enum CRange {
  static func all(of numbers: [Int32]) -> String {
    var ranges: [String] = []
    for (place, number) in numbers.enumerated() where place == 0 || numbers[place - 1] + 1 != number {
      ranges.append("{\(number), \(place)}")
    }
    return (ranges + ["{0, \(numbers.count)}"]).joined(separator: ", ")
  }
}

extension FileDescriptorProto {
  /// What precedes the names of its types.
  fileprivate var scope: String { package.map { "\($0)." } ?? "" }
}

extension FieldDescriptorProto {
  fileprivate var isReference: Bool { type == .message || type == .enum }
}
