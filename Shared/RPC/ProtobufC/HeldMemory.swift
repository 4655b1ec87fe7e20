public import CProtobufC

/// How much memory a decoded message takes: on the wire an element of a list may be two bytes, in memory it is a whole
/// value of its type and all that it refers to.
///
/// Computed from the C struct, which knows every length. The result is never less than what the Swift value takes, and
/// more where C does not distinguish texts from bytes: a text of up to 15 bytes needs no memory of its own, but counts
/// as if it did.
@usableFromInline
enum HeldMemory {
  /// Bytes that the system's allocator and Swift add to the content of an array or a text.
  private static let objectOverhead = 48
  /// A list of pairs becomes a hash table, at least a quarter and up to five eighths of which stay empty.
  private static let tableFactor = 3

  /// Bytes of a value of the message's type, with everything that it refers to.
  @usableFromInline
  static func bytes(_ message: UnsafePointer<ProtobufCMessage>, _ arena: Arena) -> Int {
    guard let descriptor = message.pointee.descriptor else { return 0 }
    return arena.valueSize(of: descriptor) + referred(message, descriptor, arena)
  }

  /// Bytes that the fields of a message refer to: texts, byte strings and lists.
  private static func referred(
    _ message: UnsafePointer<ProtobufCMessage>, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ arena: Arena
  ) -> Int {
    let place = UnsafeRawPointer(message)
    var total = unknownFields(message)
    for field in descriptor.fieldList {
      let member = place + Int(field.offset)
      if field.label == PROTOBUF_C_LABEL_REPEATED {
        let count = place.load(fromByteOffset: Int(field.quantifier_offset), as: Int.self)
        if count > 0 { total += list(member, count, field, arena) }
      } else if field.isSet(in: place) {
        total += single(member, field, arena)
      }
    }
    return total
  }

  private static func single(_ member: UnsafeRawPointer, _ field: ProtobufCFieldDescriptor, _ arena: Arena) -> Int {
    switch field.type {
    case PROTOBUF_C_TYPE_BYTES: return text(member.load(as: ProtobufCBinaryData.self))
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let nested = member.load(as: UnsafePointer<ProtobufCMessage>?.self),
        let descriptor = nested.pointee.descriptor
      else { return 0 }
      // The value itself is stored within the outer one.
      return referred(nested, descriptor, arena)
    default: return 0
    }
  }

  private static func list(
    _ member: UnsafeRawPointer, _ count: Int, _ field: ProtobufCFieldDescriptor, _ arena: Arena
  ) -> Int {
    switch field.type {
    case PROTOBUF_C_TYPE_BYTES:
      guard let texts = member.load(as: UnsafePointer<ProtobufCBinaryData>?.self) else { return 0 }
      return (0..<count).reduce(objectOverhead + count * MemoryLayout<String>.stride) { $0 + text(texts[$1]) }
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let messages = member.load(as: UnsafePointer<UnsafePointer<ProtobufCMessage>?>?.self),
        let descriptor = field.messageDescriptor
      else { return 0 }
      let elements = count * arena.valueSize(of: descriptor) * (descriptor.isPair ? tableFactor : 1)
      return (0..<count).reduce(objectOverhead + elements) { sum, index in
        messages[index].map { sum + referred($0, descriptor, arena) } ?? sum
      }
    default: return objectOverhead + count * MemoryLayout<Int64>.stride
    }
  }

  private static func text(_ data: ProtobufCBinaryData) -> Int {
    data.len == 0 ? 0 : objectOverhead + data.len
  }

  /// Stored by the few types that are open to extensions, and counted for all.
  private static func unknownFields(_ message: UnsafePointer<ProtobufCMessage>) -> Int {
    let fields = UnsafeBufferPointer(
      start: message.pointee.unknown_fields, count: Int(message.pointee.n_unknown_fields))
    return fields.reduce(0) { $0 + MemoryLayout<UnknownField>.stride + objectOverhead + $1.len }
  }

  /// Bytes of a value of a message's type: the most that one element takes in an array.
  fileprivate static func valueSize(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Int {
    var total = 0
    /// Members of a oneof share their memory: the largest counts.
    var choices: [UInt32: Int] = [:]
    for field in descriptor.fieldList {
      if field.isOneofMember {
        choices[field.quantifier_offset] = max(choices[field.quantifier_offset] ?? 0, fieldSize(field))
      } else {
        total += fieldSize(field)
      }
    }
    return max(1, total + choices.values.reduce(0, +))
  }

  private static func fieldSize(_ field: ProtobufCFieldDescriptor) -> Int {
    if field.label == PROTOBUF_C_LABEL_REPEATED { return MemoryLayout<[UInt8]>.stride }
    switch field.type {
    case PROTOBUF_C_TYPE_BYTES: return MemoryLayout<String>.stride + presence(field)
    case PROTOBUF_C_TYPE_MESSAGE:
      return (field.messageDescriptor.map(valueSize) ?? 0).roundedUp + MemoryLayout<Int64>.stride
    default: return MemoryLayout<Int64>.stride + presence(field)
    }
  }

  /// Bytes that record whether a value is set, or which member of a oneof is.
  private static func presence(_ field: ProtobufCFieldDescriptor) -> Int {
    field.isOneofMember || field.label == PROTOBUF_C_LABEL_OPTIONAL ? MemoryLayout<Int64>.stride : 0
  }
}

extension ProtobufMessage {
  /// Whether values of the type contain lists, directly or deeper: their memory is then unrelated to their size on the
  /// wire.
  public static var hasLists: Bool { cDescriptor.hasLists }
}

extension Arena {
  /// Computed once for each type.
  fileprivate func valueSize(of descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Int {
    if let size = valueSizes[descriptor] { return size }
    let size = HeldMemory.valueSize(descriptor)
    valueSizes[descriptor] = size
    return size
  }
}

extension UnsafePointer<ProtobufCMessageDescriptor> {
  var fieldList: UnsafeBufferPointer<ProtobufCFieldDescriptor> {
    UnsafeBufferPointer(start: pointee.fields, count: Int(pointee.n_fields))
  }

  /// A type that contains itself does so in a list, so the recursion ends.
  fileprivate var hasLists: Bool {
    fieldList.contains { $0.label == PROTOBUF_C_LABEL_REPEATED || $0.messageDescriptor?.hasLists ?? false }
  }

  /// Whether the type is the entry of a map.
  var isPair: Bool {
    fieldList.count == 2 && strcmp(fieldList[0].name, "key") == 0 && strcmp(fieldList[1].name, "value") == 0
  }
}

extension ProtobufCFieldDescriptor {
  var isOneofMember: Bool { flags & UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) != 0 }

  var messageDescriptor: UnsafePointer<ProtobufCMessageDescriptor>? {
    guard type == PROTOBUF_C_TYPE_MESSAGE else { return nil }
    return descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }

  /// Whether the field is the chosen member of its oneof; true for every field outside a oneof.
  func isSet(in message: UnsafeRawPointer) -> Bool {
    !isOneofMember || message.load(fromByteOffset: Int(quantifier_offset), as: UInt32.self) == id
  }
}

extension Int {
  fileprivate var roundedUp: Int { (self + 7) & ~7 }
}
