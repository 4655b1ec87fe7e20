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
    var rest = WireCursor(bytes)
    while !rest.isAtEnd {
      let tag = try rest.varint()
      switch tag & 7 {
      case 0: _ = try rest.varint()
      case 1: _ = try rest.skip(8)
      case 2:
        let content = try rest.skip(try rest.varint())
        if let nested = message(tag >> 3, in: descriptor) { try scan(content, nested, depth: depth + 1) }
      case 5: _ = try rest.skip(4)
      default: throw .malformed
      }
    }
  }

  /// The type of the field with this number, when it is a message.
  private static func message(
    _ number: UInt64, in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    guard let field = fields.first(where: { $0.id == number }), field.type == PROTOBUF_C_TYPE_MESSAGE else {
      return nil
    }
    return field.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }
}

/// Walks over the wire format.
private struct WireCursor {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func varint() throws(ProtobufError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard position < bytes.count else { throw .malformed }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw .malformed
  }

  mutating func skip(_ count: UInt64) throws(ProtobufError) -> UnsafeRawBufferPointer {
    guard count <= UInt64(bytes.count - position) else { throw .malformed }
    let content = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Int(count))])
    position += Int(count)
    return content
  }
}
