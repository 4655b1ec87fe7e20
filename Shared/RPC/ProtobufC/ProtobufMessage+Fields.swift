import CProtobufC

extension ProtobufMessage {
  /// The number of the text field of that name; `nil` when the message has none.
  public static func number(ofText name: String) -> UInt32? {
    guard let field = protobuf_c_message_descriptor_get_field_by_name(cDescriptor, name)?.pointee,
      // libprotobuf-c is given texts as bytes, so that they may contain a NUL.
      field.label != PROTOBUF_C_LABEL_REPEATED, [PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES].contains(field.type)
    else { return nil }
    return field.id
  }
}
