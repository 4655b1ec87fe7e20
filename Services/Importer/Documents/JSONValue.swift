import JSONText

/// A JSON text of a provider, of which no part is trusted to have the documented shape.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  /// Elsewhere, so that a number takes 16 bytes: an answer of 8 MiB may be four million of them.
  indirect case text(String)
  case list([JSONValue])
  case members([String: JSONValue])

  /// Why a text cannot be read.
  package enum Refusal: Error, Sendable, Equatable {
    case tooLong
    case tooDeep
    /// It is no JSON, such as a page of HTML.
    case notJSON
  }

  /// Bytes; longer texts are refused.
  package static let maxLength = 8 * 1_048_576

  /// Reads a text that may begin with a byte order mark, and have comments and commas behind the last element: real ones
  /// of providers do.
  package init(_ bytes: [UInt8]) throws(Refusal) {
    guard bytes.count <= Self.maxLength else { throw .tooLong }
    self = try JSONReader.read(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
  }

  /// Bytes of a text that an event loop may read, too.
  package static let maxShortLength = 65_536

  /// Reads a text that is known to be short, as notices and errors are; `nil` if it is not, or no JSON.
  package init?(short bytes: [UInt8]) {
    guard bytes.count <= Self.maxShortLength, let value = try? JSONValue(bytes) else { return nil }
    self = value
  }

  /// The JSON of this value, with sorted names.
  package var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    // A number that is not finite, which no text of JSON has.
    case .number(let number): text += number.isFinite ? "\(number)" : "null"
    case .text(let content): JSONText.write(content, to: &text)
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .members(let members):
      text += "{"
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += "," }
        JSONText.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }
}

extension JSONValue {
  /// A member of an object; `nil` for one that is absent or null, and for what is no object.
  package subscript(_ name: String) -> JSONValue? {
    guard case .members(let members) = self, let value = members[name], value != .null else { return nil }
    return value
  }

  package var list: [JSONValue]? { if case .list(let elements) = self { elements } else { nil } }

  package var text: String? { if case .text(let text) = self { text } else { nil } }

  package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// A number, also one that is written as a text.
  package var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// A whole number, also one that is written as a text.
  package var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number.rounded())
    case .text(let text): Int64(text)
    default: nil
    }
  }

  /// An id, which providers write as a text or as a number; `nil` for one that no column can hold.
  package var identifier: String? {
    switch self {
    case .integer(let number): String(number)
    case .text(let text) where (1...200).contains(text.utf8.count) && !text.utf8.contains(0): text
    default: nil
    }
  }

  /// The same object with `_` for the dashes in the names of its members, which a provider's releases differ in.
  package var withUnderscores: JSONValue {
    switch self {
    case .members(let members):
      let pairs = members.map { (String($0.key.map { $0 == "-" ? "_" : $0 }), $0.value.withUnderscores) }
      return .members(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    case .list(let elements): return .list(elements.map(\.withUnderscores))
    default: return self
    }
  }
}
