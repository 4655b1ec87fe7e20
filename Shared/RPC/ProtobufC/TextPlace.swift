public import CProtobufC

extension ProtobufError {
  /// The error with the path from `message` to a text that is not UTF-8: generated code knows the field, but not which
  /// of the nested messages has it.
  @usableFromInline
  func placed(in message: UnsafePointer<ProtobufCMessage>) -> ProtobufError {
    guard case .invalidUTF8(let field) = self, let root = message.pointee.descriptor?.pointee.name,
      let path = TextPlace(field: field).path(in: message)
    else { return self }
    return .invalidUTF8(field: "\(String(cString: root)).\(path)")
  }
}

/// Finds the first text of a field that is not UTF-8, in a message and the messages nested in it.
private struct TextPlace {
  /// The full name of the field: that of its message (or, for an entry of a map, of the map), a dot and its own name.
  let field: String

  /// Its path, such as `authors[2].name`; `nil` when all texts of the field are UTF-8.
  func path(in message: UnsafePointer<ProtobufCMessage>) -> String? {
    guard let descriptor = message.pointee.descriptor else { return nil }
    return path(in: message, called: String(cString: descriptor.pointee.name))
  }

  /// - Parameter name: the prefix of the names of the message's fields.
  private func path(in message: UnsafePointer<ProtobufCMessage>, called name: String) -> String? {
    guard let descriptor = message.pointee.descriptor else { return nil }
    let place = UnsafeRawPointer(message)
    for field in descriptor.fieldList {
      let member = place + Int(field.offset)
      let found: String? =
        if field.label == PROTOBUF_C_LABEL_REPEATED {
          list(member, place.load(fromByteOffset: Int(field.quantifier_offset), as: Int.self), field, of: name)
        } else if field.isSet(in: place) {
          single(member, field, of: name)
        } else { nil }
      if let found { return String(cString: field.name) + found }
    }
    return nil
  }

  /// The rest of the path behind the field's own name.
  private func single(_ member: UnsafeRawPointer, _ field: ProtobufCFieldDescriptor, of message: String) -> String? {
    switch field.type {
    case PROTOBUF_C_TYPE_BYTES: isWrong(member.load(as: ProtobufCBinaryData.self), field, of: message) ? "" : nil
    case PROTOBUF_C_TYPE_MESSAGE: nested(member.load(as: UnsafePointer<ProtobufCMessage>?.self), field, of: message)
    default: nil
    }
  }

  private func list(
    _ member: UnsafeRawPointer, _ count: Int, _ field: ProtobufCFieldDescriptor, of message: String
  ) -> String? {
    guard count > 0 else { return nil }
    switch field.type {
    case PROTOBUF_C_TYPE_BYTES:
      guard let texts = member.load(as: UnsafePointer<ProtobufCBinaryData>?.self) else { return nil }
      return (0..<count).first { isWrong(texts[$0], field, of: message) }.map { "[\($0)]" }
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let messages = member.load(as: UnsafePointer<UnsafePointer<ProtobufCMessage>?>?.self) else { return nil }
      for index in 0..<count {
        if let path = nested(messages[index], field, of: message) { return "[\(index)]\(path)" }
      }
      return nil
    default: return nil
    }
  }

  private func nested(
    _ nested: UnsafePointer<ProtobufCMessage>?, _ field: ProtobufCFieldDescriptor, of message: String
  ) -> String? {
    guard let nested, let descriptor = nested.pointee.descriptor else { return nil }
    let name =
      descriptor.isPair ? "\(message).\(String(cString: field.name))" : String(cString: descriptor.pointee.name)
    return path(in: nested, called: name).map { ".\($0)" }
  }

  private func isWrong(_ text: ProtobufCBinaryData, _ field: ProtobufCFieldDescriptor, of message: String) -> Bool {
    guard self.field == "\(message).\(String(cString: field.name))", let data = text.data else { return false }
    return String(utf8: UnsafeRawBufferPointer(start: data, count: text.len)) == nil
  }
}
