import GatewayText

/// A JSON document while it is composed once at the start; calls never use it. Members keep their order.
package enum JSONValue: Sendable, Equatable {
  case string(String)
  case number(Int)
  case bool(Bool)
  case array([JSONValue])
  case object([Member])

  package struct Member: Sendable, Equatable {
    let name: String
    let value: JSONValue
  }

  /// The member of that name; `nil` where there is none, or where this is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; `nil` for anything else.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The elements of an array; none for anything else.
  package var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// The members of an object; none for anything else.
  package var members: [Member] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  package var serialized: [UInt8] {
    var out: [UInt8] = []
    write(to: &out)
    return out
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .string(let text): Self.write(text, to: &out)
    case .number(let number): out += "\(number)".utf8
    case .bool(let value): out += (value ? "true" : "false").utf8
    case .array(let elements):
      out.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        element.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let members):
      out.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &out)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to out: inout [UInt8]) {
    Array(text.utf8).withUnsafeBufferPointer { appendJSONString($0, to: &out) }
  }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
}
