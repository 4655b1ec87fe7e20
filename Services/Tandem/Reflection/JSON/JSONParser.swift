// Parsed by ourselves, because Foundation (JSONSerialization and JSONDecoder of Swift 6.3) does not keep what a text says:
// - the order of members, in which fields are shown, is lost;
// - numbers lose their text: 2.50 becomes 2.5, -0 becomes 0, and 1e400 is refused;
// - of a name that occurs twice one value is taken in silence, which is how a mistyped request would be sent;
// - JSONSerialization takes `[1,]`, and neither has a limit of nesting that can be set;
// - of an error there is an offset at most, and not what should be there.

/// An error in a JSON text, with the position of the first one.
public struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  /// Counted from 1, in bytes.
  public let column: Int
  /// What is wrong there.
  public let reason: String

  /// "line 1, column 5: …".
  public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONValue {
  /// Parses one JSON text (RFC 8259) that must be the whole input.
  ///
  /// - Throws: ``JSONSyntaxError``, also for a name that occurs twice in one object and for nesting deeper than 100.
  public init(parsing text: some StringProtocol) throws(JSONSyntaxError) {
    var parser = JSONParser(bytes: Array(text.utf8))
    self = try parser.whole()
  }
}

/// The state of the parser.
struct JSONParser {
  /// Protobuf's own limit; it bounds the parser's recursion.
  static let deepestNesting = 100
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func whole() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard place == bytes.count else { throw fault("there is more text after the value") }
    return value
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func fault(_ reason: String) -> JSONSyntaxError {
    let before = bytes.prefix(place)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONSyntaxError(line: line, column: place - start + 1, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return try nested { (parser) throws(JSONSyntaxError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { (parser) throws(JSONSyntaxError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw fault("the text ends where a value should be")
    case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte): return try number()
    default: throw fault("a value should be here")
    }
  }

  private mutating func nested(
    _ read: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    guard depth < Self.deepestNesting else { throw fault("it is nested deeper than \(Self.deepestNesting)") }
    depth += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[place...].starts(with: text) else { throw fault("a value should be here") }
    place += text.count
    return value
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONValue {
    place += 1
    var members: [JSONMember] = []
    var names: Set<String> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a name in double quotes should be here") }
      let name = try string()
      guard names.insert(name).inserted else { throw fault("the name \"\(name)\" occurs twice") }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fault("a colon should follow the name \"\(name)\"") }
      skipSpace()
      members.append(JSONMember(name, try value()))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("a comma or } should be here") }
    return .object(members)
  }

  private mutating func array() throws(JSONSyntaxError) -> JSONValue {
    place += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array([]) }
    repeat {
      skipSpace()
      elements.append(try value())
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("a comma or ] should be here") }
    return .array(elements)
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = place
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      try digits()
    }
    return .number(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = place
    while let byte = next, Self.digits.contains(byte) { place += 1 }
    guard place > start else { throw fault("a digit should be here") }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    place += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw fault("the string is not UTF-8") }
        place += 1
        return string
      case UInt8(ascii: "\\"):
        place += 1
        text.append(contentsOf: Array(String(try escape()).utf8))
      case 0..<0x20: throw fault("a control character must be escaped in a string")
      default:
        text.append(byte)
        place += 1
      }
    }
    throw fault("the string has no end")
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let byte = next else { throw fault("the string has no end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw fault("there is no such escape")
    }
  }

  private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let unit = try fourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw fault("half a surrogate pair is not a character")
    }
    let low = try fourDigits()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw fault("half a surrogate pair is not a character") }
    return scalar
  }

  private mutating func fourDigits() throws(JSONSyntaxError) -> UInt32 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits should be here") }
    place += 4
    return unit
  }
}
