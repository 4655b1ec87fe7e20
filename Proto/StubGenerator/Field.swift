import ProtobufDescriptor

/// A field with everything that generated code says about it.
struct Field {
  /// How many values, and how the C struct tells that there is one.
  enum Presence: Equatable {
    /// Always there: proto3 without `optional`, or proto2 `required`.
    case plain
    /// proto2's `has_x`.
    case flag
    /// A one-field oneof, which stands for proto3's `optional`.
    case optional(caseMember: String)
    /// A message, absent as NULL.
    case pointer
    case repeated
    case map(key: Value, value: Value, entry: String)
    /// A member of a oneof, emitted with it.
    case oneof(Int)
  }

  var name: String
  var number: Int32
  var fullName: String
  var presence: Presence
  var value: Value
  var comment: [String]

  var swiftName: String { SwiftName.member(name) }
  var member: String { "c.pointee.\(CName.field(name))" }
  var count: String { "c.pointee.n_\(CName.plainField(name))" }
  var flag: String { "c.pointee.has_\(CName.plainField(name))" }

  var swiftType: String {
    switch presence {
    case .plain, .oneof: value.swiftType
    case .flag, .optional, .pointer: value.swiftType + "?"
    case .repeated: "[\(value.swiftType)]"
    case .map(let key, let value, _): "[\(key.swiftType): \(value.swiftType)]"
    }
  }

  var defaultValue: String {
    switch presence {
    case .plain, .oneof: value.defaultValue
    case .flag, .optional, .pointer: "nil"
    case .repeated: "[]"
    case .map: "[:]"
    }
  }
}

/// The type of one value: how Swift spells it, and how it crosses to and from C.
struct Value: Equatable {
  enum Kind: Equatable { case number, flag, text, bytes, enumeration, message }

  var kind: Kind
  var swiftType: String
  var defaultValue: String

  init(_ field: FieldDescriptorProto, _ schema: Schema, module: String) throws(GeneratorError) {
    let name = field.referencedType
    switch field.type {
    case .string?: (kind, swiftType, defaultValue) = (.text, "String", "\"\"")
    case .bytes?: (kind, swiftType, defaultValue) = (.bytes, "[UInt8]", "[]")
    case .bool?: (kind, swiftType, defaultValue) = (.flag, "Bool", "false")
    case .message?:
      (kind, swiftType) = (.message, schema.reference(name, from: module))
      defaultValue = "\(swiftType)()"
    case .enum?:
      let values = schema.entry(name).enumeration
      let first = SwiftName.enumCase(values?.value.first?.name ?? "", of: values?.plainName ?? "")
      (kind, swiftType, defaultValue) = (.enumeration, schema.reference(name, from: module), ".\(first)")
    default:
      guard let number = Self.numbers.first(where: { $0.0 == field.type })?.1 else {
        throw GeneratorError(element: field.plainName, reason: "groups are not supported")
      }
      (kind, swiftType, defaultValue) = (.number, number, "0")
    }
  }

  private static let numbers: [(FieldDescriptorProto.TypeEnum, String)] = [
    (.int32, "Int32"), (.sint32, "Int32"), (.sfixed32, "Int32"), (.int64, "Int64"), (.sint64, "Int64"),
    (.sfixed64, "Int64"), (.uint32, "UInt32"), (.fixed32, "UInt32"), (.uint64, "UInt64"), (.fixed64, "UInt64"),
    (.float, "Float"), (.double, "Double"),
  ]

  var readingThrows: Bool { kind == .text || kind == .message }

  /// One value out of a member of the C struct.
  func read(_ member: String, _ field: String) -> String {
    switch kind {
    case .number: member
    case .flag: "\(member) != 0"
    case .text: "\(member).text(\"\(field)\")"
    case .bytes: "\(member).array()"
    case .enumeration: "\(swiftType)(rawValue: Int32(truncatingIfNeeded: \(member).rawValue))"
    case .message: "\(swiftType).readPresent(\(member))"
    }
  }

  /// All values out of a repeated field.
  func readAll(_ member: String, _ count: String, _ field: String) -> String {
    switch kind {
    case .number: "Array(UnsafeBufferPointer(start: \(member), count: \(count)))"
    case .flag, .bytes: "[\(swiftType)].readAll(\(member), \(count))"
    case .text: "String.readAll(\(member), \(count), \"\(field)\")"
    case .enumeration, .message: "\(swiftType).readAll(\(member), \(count))"
    }
  }

  /// A Swift value as the C struct takes it.
  func write(_ swift: String) -> String {
    switch kind {
    case .number: swift
    case .flag: "\(swift) ? 1 : 0"
    case .text, .bytes: "arena.copy(\(swift))"
    case .enumeration: ".init(rawValue: .init(truncatingIfNeeded: \(swift).rawValue))"
    case .message: "arena.build(\(swift))"
    }
  }

  /// A Swift array as the C struct takes it.
  func writeAll(_ swift: String) -> String {
    switch kind {
    case .message: "arena.build(\(swift))"
    case .enumeration: "arena.copyAll(\(swift))"
    default: "arena.copy(\(swift))"
    }
  }

  /// An expression of type Bool for sorting by this value, a map's key.
  func isOrdered(_ first: String, _ second: String) -> String {
    kind == .flag ? "!\(first) && \(second)" : "\(first) < \(second)"
  }
}
