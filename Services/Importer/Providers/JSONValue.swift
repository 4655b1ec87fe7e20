import FoundationEssentials

/// A JSON text of a provider, of which no part is trusted to have the documented shape.
package indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
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
  /// Levels of lists and objects; providers' documents have fewer than ten.
  private static let maxDepth = 32

  /// Reads a text that may begin with a byte order mark, and have comments and commas behind the last element: real ones
  /// of providers do.
  package init(_ bytes: [UInt8]) throws(Refusal) {
    guard bytes.count <= Self.maxLength else { throw .tooLong }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    // The library's reader ends the process at a name without quotes that is no UTF-8.
    guard String(validating: text, as: UTF8.self) != nil else { throw .notJSON }
    // The library's reader calls itself for each level, so the depth is bounded before.
    guard Self.depth(of: text) <= Self.maxDepth else { throw .tooDeep }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do { self = try decoder.decode(JSONValue.self, from: Data(text)) } catch { throw .notJSON }
  }

  private static func depth(of text: ArraySlice<UInt8>) -> Int {
    var (depth, deepest, quote, isEscaped) = (0, 0, UInt8(0), false)
    for byte in text {
      if quote != 0 {
        if !isEscaped, byte == quote { quote = 0 }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): quote = byte
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return deepest
  }

  /// The JSON of this value, with sorted names.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch {
      // A number that is not finite, which no text of JSON has.
      return "null"
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

  /// An id, which providers write as a text or as a number.
  package var identifier: String? {
    switch self {
    case .integer(let number): String(number)
    case .text(let text) where (1...200).contains(text.utf8.count): text
    default: nil
    }
  }

  /// The same object with `_` for the dashes in the names of its members, which a provider's releases differ in.
  var withUnderscores: JSONValue {
    switch self {
    case .members(let members):
      let pairs = members.map { (String($0.key.map { $0 == "-" ? "_" : $0 }), $0.value.withUnderscores) }
      return .members(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    case .list(let elements): return .list(elements.map(\.withUnderscores))
    default: return self
    }
  }
}

extension JSONValue: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    // The commonest kinds first: a decoder tells the kind of a value only by refusing the others.
    if let container = try? decoder.singleValueContainer() {
      if container.decodeNil() {
        self = .null
        return
      }
      if let text = try? container.decode(String.self) {
        self = .text(text)
        return
      }
      if let number = try? container.decode(Int64.self) {
        self = .integer(number)
        return
      }
      if let number = try? container.decode(Double.self) {
        guard number.isFinite else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "no finite number")
        }
        self = .number(number)
        return
      }
      if let flag = try? container.decode(Bool.self) {
        self = .bool(flag)
        return
      }
    }
    if let members = try? decoder.container(keyedBy: Name.self) {
      var read: [String: JSONValue] = [:]
      for name in members.allKeys { read[name.stringValue] = try members.decode(JSONValue.self, forKey: name) }
      self = .members(read)
      return
    }
    var elements = try decoder.unkeyedContainer()
    var read: [JSONValue] = []
    while !elements.isAtEnd { read.append(try elements.decode(JSONValue.self)) }
    self = .list(read)
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .members(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let flag): try container.encode(flag)
      case .integer(let number): try container.encode(number)
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      default: try container.encodeNil()
      }
    }
  }
}
