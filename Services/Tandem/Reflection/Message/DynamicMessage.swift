/// A message whose type is known at run time only.
public struct DynamicMessage: Sendable, Equatable {
  public let typeName: String
  /// The set fields by number.
  public var fields: [Int32: FieldContent]

  public init(typeName: String, fields: [Int32: FieldContent] = [:]) {
    self.typeName = typeName
    self.fields = fields
  }

  /// The value of a singular field; `nil` if it is unset.
  func one(_ number: Int32) -> DynamicValue? {
    if case .one(let value) = fields[number] { value } else { nil }
  }

  /// The values of a repeated field.
  func many(_ number: Int32) -> [DynamicValue] {
    switch fields[number] {
    case .one(let value): [value]
    case .many(let values): values
    case nil: []
    }
  }
}

/// The content of a field.
public enum FieldContent: Sendable, Equatable {
  case one(DynamicValue)
  /// Of a repeated field; a map is a repeated field of its entries.
  case many([DynamicValue])
}

/// One value of a field, independent of its wire format.
public enum DynamicValue: Sendable, Equatable {
  case bool(Bool)
  case signed(Int64)
  case unsigned(UInt64)
  case float(Float)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case enumeration(Int32)
  case message(DynamicMessage)

  /// Whether it equals the value of an unset field without presence.
  var isDefault: Bool {
    switch self {
    case .bool(let value): !value
    case .signed(let value): value == 0
    case .unsigned(let value): value == 0
    // Negative zero differs from the default and is written.
    case .float(let value): value.bitPattern == 0
    case .double(let value): value.bitPattern == 0
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .enumeration(let value): value == 0
    case .message: false
    }
  }
}

extension Field.Kind {
  /// The value of an unset field; `nil` for a message.
  var defaultValue: DynamicValue? {
    switch self {
    case .double: .double(0)
    case .float: .float(0)
    case .bool: .bool(false)
    case .string: .string("")
    case .bytes: .bytes([])
    case .int32, .sint32, .sfixed32, .int64, .sint64, .sfixed64: .signed(0)
    case .uint32, .fixed32, .uint64, .fixed64: .unsigned(0)
    case .enumeration: .enumeration(0)
    case .message, .group: nil
    }
  }
}
