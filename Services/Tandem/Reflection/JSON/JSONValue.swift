/// A JSON value that loses nothing of its text: numbers keep their digits, objects their order.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The number as it is written, so that 64-bit integers survive.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The members as an object, in that order.
  public static func members(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(pairs.map { JSONMember($0.key, $0.value) })
  }

  /// An integer as a JSON number.
  public static func integer(_ value: some BinaryInteger) -> JSONValue {
    .number(String(value))
  }

  /// The string, when it is one.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, when it is one that fits an `Int`.
  public var integer: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  /// The elements, when it is an array.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members, when it is an object.
  public var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The value of an object's member; `nil` when there is none or this is no object.
  public subscript(name: String) -> JSONValue? {
    members?.first { $0.name == name }?.value
  }

  /// What kind of value it is, for a message to a user: "a string".
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

/// One name of a JSON object with its value.
public struct JSONMember: Sendable, Equatable {
  /// The member's name.
  public var name: String
  /// The member's value.
  public var value: JSONValue

  /// A member of that name and value.
  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}
