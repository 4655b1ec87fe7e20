import ProtobufC
import ProtobufDescriptor

/// The descriptors as protoc-c should see them, so that its C carries what Swift needs while the contract stays clean.
///
/// - Strings become bytes (`(pb_c_field).string_as_bytes`): `char *` would end at the first NUL.
/// - `optional` becomes an ordinary oneof of one field, because protoc-c 1.4 does not know presence in proto3; a message
///   needs none.
/// - Services, comments, custom options and deprecation have no place in C, and custom options would need their file.
enum CDescriptors {
  static func make(from set: FileDescriptorSet) -> FileDescriptorSet {
    FileDescriptorSet(file: set.file.map(transformed))
  }

  private static func transformed(_ file: FileDescriptorProto) -> FileDescriptorProto {
    var file = file
    file.service = []
    file.extension = []
    file.sourceCodeInfo = nil
    file.options = nil
    file.messageType = file.messageType.map(transformed)
    return file
  }

  private static func transformed(_ message: DescriptorProto) -> DescriptorProto {
    var message = message
    message.extension = []
    message.nestedType = message.nestedType.map(transformed)
    dropOneofs(of: &message) { $0.proto3Optional == true && $0.type == .message }
    for index in message.field.indices {
      message.field[index].proto3Optional = nil
      message.field[index].options?.deprecated = nil
      message.field[index].options?.unknownFields = []
      if message.field[index].type == .string {
        var options = message.field[index].options ?? FieldOptions()
        options.unknownFields = [stringAsBytes]
        message.field[index].options = options
      }
    }
    return message
  }

  /// Removes the oneofs of the fields that `condition` names, and renumbers the rest.
  private static func dropOneofs(of message: inout DescriptorProto, _ condition: (FieldDescriptorProto) -> Bool) {
    let dropped = Set(message.field.filter(condition).compactMap(\.oneofIndex))
    let kept = message.oneofDecl.indices.map(Int32.init).filter { !dropped.contains($0) }
    message.oneofDecl = kept.map { message.oneofDecl[Int($0)] }
    for index in message.field.indices {
      message.field[index].oneofIndex = message.field[index].oneofIndex.flatMap { old in
        kept.firstIndex(of: old).map(Int32.init)
      }
    }
  }

  /// `(pb_c_field) = { string_as_bytes: true }`: extension 1019 of FieldOptions, a message whose field 1 is true.
  private static let stringAsBytes = UnknownField(number: 1019, wireType: 2, bytes: [2, 0x08, 1])
}
