import ProtobufDescriptor

/// Writes the Swift struct of a message, with everything nested in it.
struct MessageEmitter {
  let context: FileContext

  func emit(_ message: DescriptorProto, _ fullName: String, _ path: [Int32], to text: inout SwiftText)
    throws(GeneratorError)
  {
    let name = SwiftName.declared(message.plainName, suffix: "Message")
    guard !SwiftName.needed.contains(name) else {
      throw context.failure(fullName, path, "generated code needs the Swift type of that name; rename the message")
    }
    let fields = try FieldReader(context: context, message: message, fullName: fullName, path: path).fields()
    let oneofs = try oneofs(of: message, fields, fullName, path)
    let properties = Self.properties(fields, oneofs, keepsUnknown: !message.extensionRange.isEmpty)
    let event: EventEmitter?
    do throws(GeneratorError) { event = try EventEmitter(message, fields) } catch {
      throw context.failure(fullName, path, error.reason)
    }
    let protocols = ["ProtobufMessage"] + (event == nil ? [] : ["PublishedEvent"]) + fields.requestProtocols
    text.comment(context.source.comment(path))
    try text.block("public struct \(name): \(protocols.joined(separator: ", "))") { text throws(GeneratorError) in
      for property in properties {
        text.comment(property.comment)
        text.line("public var \(property.name): \(property.type)")
      }
      if !properties.isEmpty { text.line() }
      emitInitializers(properties, to: &text)
      text.line()
      emitIdentity(fullName, to: &text)
      event?.emit(to: &text)
      let code = ConversionEmitter(
        name: name, fullName: fullName, fields: fields, oneofs: oneofs, properties: properties)
      code.emit(to: &text)
      for oneof in oneofs {
        text.line()
        oneof.emit(to: &text)
      }
      try emitNested(message, fullName, path, to: &text)
    }
  }

  private func emitNested(
    _ message: DescriptorProto, _ fullName: String, _ path: [Int32], to text: inout SwiftText
  ) throws(GeneratorError) {
    for (index, nested) in message.enumType.enumerated() {
      text.line()
      try EnumEmitter(context: context).emit(
        nested, "\(fullName).\(nested.plainName)", path + [Path.messageEnums, Int32(index)], to: &text)
    }
    for (index, nested) in message.nestedType.enumerated() where !nested.isMapEntry {
      text.line()
      try emit(nested, "\(fullName).\(nested.plainName)", path + [Path.messageMessages, Int32(index)], to: &text)
    }
  }

  private func oneofs(
    of message: DescriptorProto, _ fields: [Field], _ fullName: String, _ path: [Int32]
  ) throws(GeneratorError) -> [Oneof] {
    var oneofs: [Oneof] = []
    for (index, oneof) in message.oneofDecl.enumerated() where !message.isSynthetic(Int32(index)) {
      let place = path + [Path.messageOneofs, Int32(index)]
      let made = Oneof(
        name: oneof.name ?? "", index: index, members: fields.filter { $0.presence == .oneof(index) },
        comment: context.source.comment(place))
      let nested = message.nestedType.map(\.plainName) + message.enumType.map(\.plainName)
      guard !nested.contains(made.typeName), !fields.contains(where: { $0.swiftName == made.swiftName }) else {
        throw context.failure("\(fullName).\(made.name)", place, "its Swift name is taken; rename the oneof")
      }
      oneofs.append(made)
    }
    return oneofs
  }

  private func emitInitializers(_ properties: [Property], to text: inout SwiftText) {
    if properties.isEmpty { return text.line("public init() {}") }
    text.line("/// The message with every field at its default.")
    text.block("public init()") { text in
      for property in properties { text.line("self.\(property.label) = \(property.defaultValue)") }
    }
    text.line()
    text.list(
      "public init(", properties.map { "\($0.label): \($0.type) = \($0.defaultValue)" }, "")
    text.block(")") { text in
      for property in properties { text.line("self.\(property.label) = \(property.name)") }
    }
  }

  private func emitIdentity(_ fullName: String, to text: inout SwiftText) {
    text.line("public static var protobufName: String { \"\(fullName)\" }")
    text.line(
      "public static var cDescriptor: UnsafePointer<ProtobufCMessageDescriptor> { \(CName.descriptorFunction(fullName))() }"
    )
    if context.schema.recursive.contains(".\(fullName)") {
      text.line("public static var isRecursive: Bool { true }")
    }
    text.line()
  }

  /// The stored properties: fields, each oneof in the place of its first member, and unknown fields where they are kept.
  private static func properties(_ fields: [Field], _ oneofs: [Oneof], keepsUnknown: Bool) -> [Property] {
    var properties: [Property] = []
    for field in fields {
      guard case .oneof(let index) = field.presence else {
        properties.append(Property(field))
        continue
      }
      if let oneof = oneofs.first(where: { $0.index == index }), oneof.members.first?.name == field.name {
        properties.append(Property(oneof))
      }
    }
    if keepsUnknown { properties.append(.unknownFields) }
    return properties
  }
}

/// A stored property of a generated struct.
struct Property {
  var name: String
  var type: String
  var defaultValue: String
  var comment: [String]
  /// What `read` passes for it.
  var reading: String
  var readingThrows: Bool

  /// The name after a dot and as an argument label.
  var label: String { SwiftName.label(name) }

  init(_ field: Field) {
    name = field.swiftName
    type = field.swiftType
    defaultValue = field.defaultValue
    comment = field.comment
    (reading, readingThrows) = field.reading
  }

  init(_ oneof: Oneof) {
    name = oneof.swiftName
    type = "\(oneof.typeName)?"
    defaultValue = "nil"
    comment = oneof.comment
    (reading, readingThrows) = ("read\(oneof.typeName)(c)", true)
  }

  /// Custom options and other extensions.
  static let unknownFields = Property(
    name: "unknownFields", type: "[UnknownField]", defaultValue: "[]",
    comment: ["Extensions, and fields that this version has no name for."], reading: ".readAll(c.pointee.base)")

  private init(name: String, type: String, defaultValue: String, comment: [String], reading: String) {
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.comment = comment
    self.reading = reading
    readingThrows = false
  }
}

extension [Field] {
  /// The protocols of the RPC runtime that requests with these fields conform to.
  fileprivate var requestProtocols: [String] {
    [
      ("PagedRequest", ["page_size": "Int32", "page_token": "String"]),  // AIP-158
      ("IdempotentRequest", ["request_id": "String"]),  // AIP-155
    ].filter { have($0.1) }.map(\.0)
  }

  private func have(_ properties: [String: String]) -> Bool {
    properties.allSatisfy { name, type in
      contains { $0.name == name && $0.swiftType == type && $0.presence == .plain }
    }
  }
}
