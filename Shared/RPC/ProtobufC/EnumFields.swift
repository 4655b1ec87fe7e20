public import CProtobufC

/// A number in a message that its enum has no name for.
public struct UnknownEnumValue: Sendable, Equatable {
  /// The path of the field in the message, such as `contact.visibility` or `interests[2]`.
  public let path: String
  public let number: Int32
  /// The full name of the enum.
  public let enumeration: String

  public init(path: String, number: Int32, enumeration: String) {
    (self.path, self.number, self.enumeration) = (path, number, enumeration)
  }
}

/// The fields of a message type that are enums or lead to some: only these are looked at in a request.
///
/// Sendable although it has pointers: they lead to generated descriptors, which are constants of the program.
@usableFromInline
struct EnumFields: @unchecked Sendable {
  private struct Step {
    let field: UnsafePointer<ProtobufCFieldDescriptor>
    /// The place in `types` of the message that the field holds; `nil` for an enum.
    let nested: Int?
  }

  /// So many are named at most: a list of a few megabytes may have a million.
  private static let maxNamed = 100

  /// The steps of every message type that leads to enums; the first is the type of the request.
  private let types: [[Step]]

  /// `nil` for a type that leads to no enum.
  init?(of root: UnsafePointer<ProtobufCMessageDescriptor>) {
    let reachable = Self.reachable(from: root)
    var leading = Set(reachable.filter { $0.fieldList.contains { $0.type == PROTOBUF_C_TYPE_ENUM } })
    while true {
      let more = reachable.filter { type in
        !leading.contains(type) && type.fieldList.contains { $0.messageDescriptor.map(leading.contains) ?? false }
      }
      if more.isEmpty { break }
      leading.formUnion(more)
    }
    guard leading.contains(root) else { return nil }
    let order = reachable.filter(leading.contains)
    let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    types = order.map { type in
      type.fieldList.indices.compactMap { index in
        guard let field = type.fieldList.baseAddress?.advanced(by: index) else { return nil }
        if field.pointee.type == PROTOBUF_C_TYPE_ENUM { return Step(field: field, nested: nil) }
        return field.pointee.messageDescriptor.flatMap { places[$0] }.map { Step(field: field, nested: $0) }
      }
    }
  }

  /// Every type in a message, the root first.
  private static func reachable(
    from root: UnsafePointer<ProtobufCMessageDescriptor>
  ) -> [UnsafePointer<ProtobufCMessageDescriptor>] {
    var (found, next) = ([root], 0)
    while next < found.count {
      for field in found[next].fieldList {
        if let nested = field.messageDescriptor, !found.contains(nested) { found.append(nested) }
      }
      next += 1
    }
    return found
  }

  /// Throws for a message with enum fields whose numbers have no names, and names all of them.
  @usableFromInline
  func check(_ message: UnsafePointer<ProtobufCMessage>) throws(ProtobufError) {
    let found = cleared(message)
    if !found.isEmpty { throw .unknownEnumValues(found) }
  }

  /// The numbers of enum fields that have no names, in whose place the message has 0 from now on.
  private func cleared(_ message: UnsafePointer<ProtobufCMessage>) -> [UnknownEnumValue] {
    var found: [UnknownEnumValue] = []
    search(message, types[0], &found)
    return found
  }

  /// As ``check(_:)``, for a request that is refused later, by all that is wrong with it.
  ///
  /// - Throws: if there are so many of them that not all were found.
  @usableFromInline
  func clear(
    _ message: UnsafePointer<ProtobufCMessage>, _ unknown: inout [UnknownEnumValue]
  ) throws(ProtobufError) {
    unknown = cleared(message)
    if unknown.count >= Self.maxNamed { throw .unknownEnumValues(unknown) }
  }

  private func search(_ message: UnsafePointer<ProtobufCMessage>, _ steps: [Step], _ found: inout [UnknownEnumValue]) {
    let place = UnsafeRawPointer(message)
    for step in steps where found.count < Self.maxNamed {
      let (field, before) = (step.field.pointee, found.count)
      let member = place + Int(field.offset)
      if field.label == PROTOBUF_C_LABEL_REPEATED {
        let count = place.load(fromByteOffset: Int(field.quantifier_offset), as: Int.self)
        if count > 0 { searchList(member, count, step, &found) }
      } else if field.isPresent(in: place) {
        if let nested = step.nested {
          if let value = member.load(as: UnsafePointer<ProtobufCMessage>?.self) { search(value, types[nested], &found) }
          Self.prefix(&found, from: before, with: ".")
        } else {
          Self.judge(member, field, at: nil, &found)
        }
      }
      if found.count > before { Self.prefix(&found, from: before, with: String(cString: field.name)) }
    }
  }

  private func searchList(_ member: UnsafeRawPointer, _ count: Int, _ step: Step, _ found: inout [UnknownEnumValue]) {
    if let nested = step.nested {
      guard let messages = member.load(as: UnsafePointer<UnsafePointer<ProtobufCMessage>?>?.self) else { return }
      for index in 0..<count where found.count < Self.maxNamed {
        let before = found.count
        if let value = messages[index] { search(value, types[nested], &found) }
        if found.count > before { Self.prefix(&found, from: before, with: "[\(index)].") }
      }
    } else {
      guard let numbers = member.load(as: UnsafePointer<Int32>?.self) else { return }
      for index in 0..<count where found.count < Self.maxNamed {
        Self.judge(UnsafeRawPointer(numbers + index), step.field.pointee, at: index, &found)
      }
    }
  }

  /// Adds the number at `place` if it has no name, and replaces it by 0, which every enum of proto3 has a name for.
  ///
  /// - Parameter index: the place of the number in a list.
  private static func judge(
    _ place: UnsafeRawPointer, _ field: ProtobufCFieldDescriptor, at index: Int?, _ found: inout [UnknownEnumValue]
  ) {
    let number = place.load(as: Int32.self)
    let values = field.descriptor?.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)
    guard let values, protobuf_c_enum_descriptor_get_value(values, number) == nil else { return }
    // The message was unpacked for this decoder alone.
    UnsafeMutableRawPointer(mutating: place).storeBytes(of: 0, as: Int32.self)
    found.append(
      UnknownEnumValue(
        path: index.map { "[\($0)]" } ?? "", number: number, enumeration: String(cString: values.pointee.name)))
  }

  private static func prefix(_ found: inout [UnknownEnumValue], from start: Int, with words: String) {
    for index in found.indices.dropFirst(start) {
      let value = found[index]
      found[index] = UnknownEnumValue(path: words + value.path, number: value.number, enumeration: value.enumeration)
    }
  }
}

extension ProtobufCFieldDescriptor {
  /// Whether a field that is not repeated has a value; true for one without presence.
  fileprivate func isPresent(in message: UnsafeRawPointer) -> Bool {
    // Only proto2's optional fields have a flag of their own.
    guard label == PROTOBUF_C_LABEL_OPTIONAL, !isOneofMember, quantifier_offset != 0 else { return isSet(in: message) }
    return message.load(fromByteOffset: Int(quantifier_offset), as: protobuf_c_boolean.self) != 0
  }
}
