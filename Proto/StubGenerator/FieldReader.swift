import ProtobufDescriptor

/// Makes the fields of a message from its descriptor.
struct FieldReader {
  let context: FileContext
  let message: DescriptorProto
  let fullName: String
  let path: [Int32]

  func fields() throws(GeneratorError) -> [Field] {
    var fields: [Field] = []
    for (index, field) in message.field.enumerated() {
      let place = path + [Path.messageFields, Int32(index)]
      let name = "\(fullName).\(field.plainName)"
      let value: Value
      let presence: Field.Presence
      do throws(GeneratorError) {
        value = try Value(field, context.schema, module: context.module.name)
        presence = try self.presence(of: field, value)
      } catch {
        throw context.failure(name, place, error.reason)
      }
      let made = Field(
        name: field.plainName, number: field.number ?? 0, fullName: name, presence: presence, value: value,
        comment: context.source.comment(place))
      guard !fields.contains(where: { $0.swiftName == made.swiftName }) else {
        throw context.failure(name, place, "its Swift name \(made.swiftName) is taken; rename the field")
      }
      fields.append(made)
    }
    return fields
  }

  private func presence(of field: FieldDescriptorProto, _ value: Value) throws(GeneratorError) -> Field.Presence {
    if field.label == .repeated { return try repeatedPresence(of: field) }
    if value.kind == .message, context.schema.containsItself(field.referencedType) {
      throw GeneratorError(
        element: field.plainName, reason: "a message that contains itself must do so in a repeated field")
    }
    if let oneof = field.oneofIndex, field.proto3Optional != true { return .oneof(Int(oneof)) }
    if value.kind == .message { return .pointer }
    if let oneof = field.oneofIndex {
      return .optional(caseMember: CName.oneofCase(message.oneofDecl[Int(oneof)].name ?? ""))
    }
    if context.file.isProto3 || field.label == .required { return .plain }
    return .flag
  }

  private func repeatedPresence(of field: FieldDescriptorProto) throws(GeneratorError) -> Field.Presence {
    guard field.type == .message, let entry = context.schema.entry(field.referencedType).message, entry.isMapEntry,
      let key = entry.field.first(where: { $0.number == 1 }), let value = entry.field.first(where: { $0.number == 2 })
    else { return .repeated }
    let module = context.module.name
    return .map(
      key: try Value(key, context.schema, module: module), value: try Value(value, context.schema, module: module),
      entry: String(field.referencedType.dropFirst()))
  }
}
