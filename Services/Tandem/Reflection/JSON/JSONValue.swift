/// A JSON value that preserves its text: numbers keep their digits, objects their order.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The number as it is written, so that 64-bit integers survive.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// An object with these members, in that order.
  public static func members(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(pairs.map { JSONMember($0.key, $0.value) })
  }

  /// An integer as a JSON number.
  public static func integer(_ value: some BinaryInteger) -> JSONValue {
    .number(String(value))
  }

  /// The string; `nil` for another kind of value.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number; `nil` for another kind of value, or if it does not fit an `Int`.
  public var integer: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  /// The elements; `nil` for another kind of value.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members; `nil` for another kind of value.
  public var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The value of an object's member; `nil` if there is none or the value is not an object.
  public subscript(name: String) -> JSONValue? {
    members?.first { $0.name == name }?.value
  }

  /// The kind of value, for error messages: "a string".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A member of a JSON object.
public struct JSONMember: Sendable, Equatable {
  public var name: String
  public var value: JSONValue

  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}
