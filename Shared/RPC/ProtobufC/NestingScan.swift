public import CProtobufC

/// Bounds how deep messages are nested, and how many fields they have in all, before libprotobuf-c decodes them.
///
/// libprotobuf-c decodes by recursion without a limit, so a few kilobytes could overflow the stack; and it allocates a
/// record of every field first, so two bytes of input cost forty. A type that cannot contain itself bounds its own
/// depth, and a short message its fields: neither is scanned.
@usableFromInline
struct NestingScan {
  /// The limit of protobuf's own implementations.
  static let limit = 100

  private let fieldLimit: Int
  private var fields = 0

  private init(fieldLimit: Int) { self.fieldLimit = fieldLimit }

  /// Throws for bytes that nest deeper than the limit or have more fields than `fields`, or that are malformed where
  /// they are scanned.
  @usableFromInline
  static func check(
    _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, fields: Int
  ) throws(ProtobufError) {
    var scan = NestingScan(fieldLimit: fields)
    try scan.scan(bytes, descriptor, depth: 0)
  }

  private mutating func scan(
    _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
  ) throws(ProtobufError) {
    guard depth <= Self.limit else { throw .tooDeep(limit: Self.limit) }
    var reader = WireReader(bytes)
    while let field = try reader.next() {
      fields += 1
      guard fields <= fieldLimit else { throw .tooManyFields(limit: fieldLimit) }
      guard case .delimited(let content) = field.content, let nested = Self.message(field.number, in: descriptor) else {
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
