/// Reads one JSON value (RFC 8259), and what real documents of providers have beside that: comments, commas behind the last element, names
/// without quotation marks and texts in single ones. Foundation's reader of such documents ends the process at a name that is no UTF-8.
struct JSONReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  private var depth = 0

  /// Levels of lists and objects; providers' documents have fewer than ten.
  private static let maxDepth = 32

  private init(_ bytes: ArraySlice<UInt8>) { (self.bytes, place) = (bytes, bytes.startIndex) }

  /// The value that is all of a text.
  static func read(_ bytes: ArraySlice<UInt8>) throws(JSONValue.Refusal) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    try reader.skipBlanks()
    guard reader.next == nil else { throw .notJSON }
    return value
  }

  private var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipBlanks() throws(JSONValue.Refusal) {
    while let byte = next {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: place += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONValue.Refusal) {
    place += 1
    if skip(UInt8(ascii: "/")) {
      while let byte = next, byte != 0x0A { place += 1 }
      return
    }
    guard skip(UInt8(ascii: "*")) else { throw .notJSON }
    while let byte = next {
      place += 1
      if byte == UInt8(ascii: "*"), skip(UInt8(ascii: "/")) { return }
    }
    throw .notJSON
  }

  private mutating func value() throws(JSONValue.Refusal) -> JSONValue {
    try skipBlanks()
    guard let byte = next else { throw .notJSON }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try text())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      return try number()
    default:
      switch word() {
      case "null": return .null
      case "true": return .bool(true)
      case "false": return .bool(false)
      default: throw .notJSON
      }
    }
  }

  private mutating func enter() throws(JSONValue.Refusal) {
    place += 1
    depth += 1
    guard depth <= Self.maxDepth else { throw .tooDeep }
  }

  private mutating func list() throws(JSONValue.Refusal) -> JSONValue {
    try enter()
    var elements: [JSONValue] = []
    while true {
      try skipBlanks()
      if skip(UInt8(ascii: "]")) { break }
      elements.append(try value())
      try skipBlanks()
      guard skip(UInt8(ascii: ",")) || next == UInt8(ascii: "]") else { throw .notJSON }
    }
    depth -= 1
    return .list(elements)
  }

  private mutating func object() throws(JSONValue.Refusal) -> JSONValue {
    try enter()
    var members: [String: JSONValue] = [:]
    while true {
      try skipBlanks()
      if skip(UInt8(ascii: "}")) { break }
      let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
      let name = isQuoted ? try text() : word()
      try skipBlanks()
      guard isQuoted || !name.isEmpty, skip(UInt8(ascii: ":")) else { throw .notJSON }
      members[name] = try value()
      try skipBlanks()
      guard skip(UInt8(ascii: ",")) || next == UInt8(ascii: "}") else { throw .notJSON }
    }
    depth -= 1
    return .members(members)
  }

  /// Letters, digits, `_` and `$`; empty where there is something else.
  private mutating func word() -> String {
    let start = place
    while let byte = next, Self.isOfWord(byte) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  // MARK: Numbers

  private mutating func number() throws(JSONValue.Refusal) -> JSONValue {
    let start = place
    var isWhole = true
    while let byte = next {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isWhole = false
      default: return try number(start, isWhole)
      }
      place += 1
    }
    return try number(start, isWhole)
  }

  private func number(_ start: Int, _ isWhole: Bool) throws(JSONValue.Refusal) -> JSONValue {
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    // A number with a zero before it might be an octal one: no two readers agree.
    let isPlain = digits.first != UInt8(ascii: "0") || !(digits.dropFirst().first.map { 0x30...0x39 ~= $0 } ?? false)
    guard isPlain else { throw .notJSON }
    if isWhole, let whole = Int64(text) { return .integer(whole) }
    guard let number = Double(text), number.isFinite else { throw .notJSON }
    return Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  // MARK: Texts

  private mutating func text() throws(JSONValue.Refusal) -> String {
    guard let quote = next else { throw .notJSON }
    place += 1
    let start = place
    while let byte = next, byte != quote, byte != UInt8(ascii: "\\") { place += 1 }
    var content = Array(bytes[start..<place])
    while let byte = next, byte != quote {
      place += 1
      if byte == UInt8(ascii: "\\") { try unescape(into: &content) } else { content.append(byte) }
    }
    guard skip(quote), let text = String(validating: content, as: UTF8.self) else { throw .notJSON }
    return text
  }

  private mutating func unescape(into content: inout [UInt8]) throws(JSONValue.Refusal) {
    guard let letter = next else { throw .notJSON }
    place += 1
    switch letter {
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content += Array(String(try scalar()).utf8)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
    default: throw .notJSON
    }
  }

  /// A character of `\uD83D\uDE00` or `\u00E9`; half a pair is the replacement character.
  private mutating func scalar() throws(JSONValue.Refusal) -> Character {
    let first = try hexadecimal()
    if 0xD800..<0xDC00 ~= first, next == UInt8(ascii: "\\"), place + 1 < bytes.endIndex,
      bytes[place + 1] == UInt8(ascii: "u")
    {
      let before = place
      place += 2
      let second = try hexadecimal()
      if 0xDC00..<0xE000 ~= second, let whole = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) {
        return Character(whole)
      }
      place = before
    }
    return Character(Unicode.Scalar(first) ?? "\u{FFFD}")
  }

  private mutating func hexadecimal() throws(JSONValue.Refusal) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .notJSON }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}
