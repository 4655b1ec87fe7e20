public import CProtobufC

/// Bounds how deep messages lie within messages, before libprotobuf-c decodes them.
///
/// It decodes by recursion without a limit, so a few kilobytes could overflow the stack. Types that cannot contain
/// themselves have a depth of their own and are not scanned.
@usableFromInline
enum NestingScan {
  /// What protobuf's own implementations allow.
  static let limit = 100

  /// Fails for bytes that nest deeper than the limit, or that are malformed where the scan looks.
  @usableFromInline
  static func check(
    _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) throws(ProtobufError) {
    try scan(bytes, descriptor, depth: 0)
  }

  private static func scan(
    _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
  ) throws(ProtobufError) {
    guard depth <= limit else { throw .tooDeep(limit: limit) }
    var fields = WireReader(bytes)
    while let field = try fields.next() {
      guard case .delimited(let content) = field.content, let nested = message(field.number, in: descriptor) else {
        continue
      }
      try scan(content, nested, depth: depth + 1)
    }
  }

  /// The type of the field with this number, when it is a message.
  private static func message(
    _ number: UInt32, in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    guard let field = fields.first(where: { $0.id == number }), field.type == PROTOBUF_C_TYPE_MESSAGE else {
      return nil
    }
    return field.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }
}
