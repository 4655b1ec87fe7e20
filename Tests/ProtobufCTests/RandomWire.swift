import CProtobufC
import SeededNumbers

/// Writes random messages of any type straight to the wire format, from nothing but the type's C descriptor; it shares no
/// code with the encoder under test.
struct RandomWire {
  private(set) var bytes: [UInt8] = []
  private var random: SplitMix
  private let depth: Int

  /// A message of the type, the same for the same seed.
  static func message(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, seed: UInt64) -> [UInt8] {
    var wire = RandomWire(random: SplitMix(seed: seed), depth: 0)
    wire.append(descriptor)
    return wire.bytes
  }

  private init(random: SplitMix, depth: Int) {
    self.random = random
    self.depth = depth
  }

  private mutating func append(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) {
    let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    // Members of a oneof: only one, since protobuf-c replaces where others merge.
    let member = fields.filter { $0.flags & oneofFlag != 0 && $0.quantifier_offset != 0 }.randomElement(using: &random)
    for field in fields.shuffled(using: &random) where depth < 4 && Int.random(in: 0..<3, using: &random) > 0 {
      if field.flags & oneofFlag != 0 {
        if field.id == member?.id { appendValue(field) }
      } else if field.label == PROTOBUF_C_LABEL_REPEATED {
        appendRepeated(field)
      } else {
        appendValue(field)
        // A scalar that comes twice: the last one counts.
        if field.type != PROTOBUF_C_TYPE_MESSAGE, Bool.random(using: &random) { appendValue(field) }
      }
    }
  }

  private var oneofFlag: UInt32 { PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue }

  private mutating func appendRepeated(_ field: ProtobufCFieldDescriptor) {
    let count = Int.random(in: 0..<4, using: &random)
    if let entry = mapEntry(field) {
      for key in 0..<min(count, 2) { appendEntry(field, entry, key: UInt64(key)) }
    } else if isPackable(field), Bool.random(using: &random) {
      let packed = nested { wire in for _ in 0..<count { wire.appendScalar(field) } }
      if count > 0 { appendDelimited(field.id, packed) }
    } else {
      for _ in 0..<count { appendValue(field) }
    }
  }

  private func mapEntry(_ field: ProtobufCFieldDescriptor) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    guard field.type == PROTOBUF_C_TYPE_MESSAGE,
      let type = field.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self),
      String(cString: type.pointee.name).hasSuffix("Entry")
    else { return nil }
    return type
  }

  private mutating func appendEntry(
    _ field: ProtobufCFieldDescriptor, _ entry: UnsafePointer<ProtobufCMessageDescriptor>, key: UInt64
  ) {
    let fields = UnsafeBufferPointer(start: entry.pointee.fields, count: 2)
    let content = nested { wire in
      switch wire.wireType(fields[0]) {
      case 0:
        wire.varint(UInt64(fields[0].id) << 3)
        wire.varint(key)
      case 1:
        wire.varint(UInt64(fields[0].id) << 3 | 1)
        wire.fixed(key, 8)
      default: wire.appendDelimited(fields[0].id, Array("key \(key)".utf8))
      }
      wire.appendValue(fields[1])
    }
    appendDelimited(field.id, content)
  }

  private mutating func appendValue(_ field: ProtobufCFieldDescriptor) {
    if field.type == PROTOBUF_C_TYPE_MESSAGE {
      guard let type = field.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self) else { return }
      appendDelimited(field.id, nested { $0.append(type) })
    } else {
      if wireType(field) != 2 { varint(UInt64(field.id) << 3 | wireType(field)) }
      appendScalar(field)
    }
  }

  private mutating func appendScalar(_ field: ProtobufCFieldDescriptor) {
    switch field.type {
    case PROTOBUF_C_TYPE_DOUBLE: fixed(Double.random(in: -1e300...1e300, using: &random).bitPattern, 8)
    case PROTOBUF_C_TYPE_FLOAT: fixed(UInt64(Float.random(in: -1e30...1e30, using: &random).bitPattern), 4)
    case PROTOBUF_C_TYPE_BOOL: varint(UInt64.random(in: 0...1, using: &random))
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_ENUM:
      varint(UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: number()))))
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_SINT32: varint(number() & 0xffff_ffff)
    case PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_STRING: appendDelimited(field.id, text())
    default:
      switch wireType(field) {
      case 1: fixed(number(), 8)
      case 5: fixed(number(), 4)
      default: varint(number())
      }
    }
  }

  private func wireType(_ field: ProtobufCFieldDescriptor) -> UInt64 {
    switch field.type {
    case PROTOBUF_C_TYPE_DOUBLE, PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64: 1
    case PROTOBUF_C_TYPE_FLOAT, PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32: 5
    case PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_MESSAGE: 2
    default: 0
    }
  }

  private func isPackable(_ field: ProtobufCFieldDescriptor) -> Bool { wireType(field) != 2 }

  /// Small, large, and both ends of the range.
  private mutating func number() -> UInt64 {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: UInt64.random(in: 0..<10, using: &random)
    case 1: [0, .max, 1 << 63, 1 << 31, (1 << 31) - 1, (1 << 63) - 1].randomElement(using: &random) ?? 0
    default: UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
    }
  }

  /// UTF-8 of every length, NUL included.
  private mutating func text() -> [UInt8] {
    let alphabet = ["a", "Z", "\u{0}", "\n", "é", "ß", "漢", "👩‍🚀", "\u{10FFFF}", "\u{7f}", "\""]
    return (0..<Int.random(in: 0..<20, using: &random)).flatMap { _ in
      Array((alphabet.randomElement(using: &random) ?? "").utf8)
    }
  }

  private mutating func nested(_ body: (inout RandomWire) -> Void) -> [UInt8] {
    var wire = RandomWire(random: random, depth: depth + 1)
    body(&wire)
    random = wire.random
    return wire.bytes
  }

  private mutating func appendDelimited(_ number: UInt32, _ content: [UInt8]) {
    varint(UInt64(number) << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func fixed(_ value: UInt64, _ count: Int) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }
}
