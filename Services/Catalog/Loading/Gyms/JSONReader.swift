/// Reads a JSON value (RFC 8259) in one pass, without storing values that are not asked for.
///
/// Of skipped values only brackets and strings are checked.
struct JSONReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  static let flaw = GymFlaw(JSONShape.broken)

  /// The first byte of the next token; `nil` at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.endIndex, JSONSpace.contains(bytes[position]) { position += 1 }
    return position < bytes.endIndex ? bytes[position] : nil
  }

  /// Reads an object: `member` is called with each name, and reads or skips its value.
  mutating func object(_ member: (String, inout JSONReader) throws(GymFlaw) -> Void) throws(GymFlaw) {
    try expect(UInt8(ascii: "{"))
    if take(UInt8(ascii: "}")) { return }
    repeat {
      let name = try text()
      try expect(UInt8(ascii: ":"))
      try member(name, &self)
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// Reads an array: `element` reads or skips each value.
  mutating func array(_ element: (inout JSONReader) throws(GymFlaw) -> Void) throws(GymFlaw) {
    try expect(UInt8(ascii: "["))
    if take(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  mutating func number() throws(GymFlaw) -> Double {
    guard let number = Double(String(decoding: try numeral(), as: UTF8.self)), number.isFinite else { throw Self.flaw }
    return number
  }

  /// Reads a string, or a number as written; skips anything else.
  mutating func textOrNumeral() throws(GymFlaw) -> String? {
    guard let first = peek() else { throw Self.flaw }
    if first == UInt8(ascii: "\"") { return try text() }
    if Self.isOfNumeral(first) { return String(decoding: try numeral(), as: UTF8.self) }
    try skip()
    return nil
  }

  /// Reads a string.
  mutating func text() throws(GymFlaw) -> String {
    try expect(UInt8(ascii: "\""))
    let start = position
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return try Self.valid(bytes[start..<position])
      case UInt8(ascii: "\\"): return try escapedText(from: start)
      case 0..<0x20: throw Self.flaw
      default: position += 1
      }
    }
    throw Self.flaw
  }

  /// Skips a value.
  mutating func skip() throws(GymFlaw) {
    var depth = 0
    repeat {
      switch peek() {
      case UInt8(ascii: "\""): try skipText()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
        if depth < 0 { throw Self.flaw }
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { throw Self.flaw }
        position += 1
      case nil: throw Self.flaw
      default: skipWord()
      }
    } while depth > 0
  }

  private mutating func skipText() throws(GymFlaw) {
    position += 1
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    throw Self.flaw
  }

  /// Skips a number, `true`, `false` or `null`.
  private mutating func skipWord() {
    let start = position
    while position < bytes.endIndex, !JSONSpace.contains(bytes[position]), !Self.isSign(bytes[position]) {
      position += 1
    }
    if position == start { position += 1 }
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "\""):
      true
    default: false
    }
  }

  private mutating func numeral() throws(GymFlaw) -> ArraySlice<UInt8> {
    guard peek() != nil else { throw Self.flaw }
    let start = position
    while position < bytes.endIndex, Self.isOfNumeral(bytes[position]) { position += 1 }
    guard position > start else { throw Self.flaw }
    return bytes[start..<position]
  }

  private static func isOfNumeral(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func take(_ sign: UInt8) -> Bool {
    guard peek() == sign else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ sign: UInt8) throws(GymFlaw) {
    guard take(sign) else { throw Self.flaw }
  }

  private static func valid(_ bytes: ArraySlice<UInt8>) throws(GymFlaw) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw GymFlaw("it is not in UTF-8") }
    return text
  }

  // MARK: Escapes

  /// Continues after the first backslash of a string that began at `start`.
  private mutating func escapedText(from start: Int) throws(GymFlaw) -> String {
    var decoded = Array(bytes[start..<position])
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try Self.valid(decoded[...])
      case UInt8(ascii: "\\"): decoded.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw Self.flaw
      default: decoded.append(byte)
      }
    }
    throw Self.flaw
  }

  private mutating func escape() throws(GymFlaw) -> String {
    guard position < bytes.endIndex else { throw Self.flaw }
    defer { position += 1 }
    switch bytes[position] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(Character(try scalar()))
    default: throw Self.flaw
    }
  }

  /// The character of `\uXXXX`, or of a surrogate pair; leaves the position at the last digit.
  private mutating func scalar() throws(GymFlaw) -> Unicode.Scalar {
    let first = try codeUnit()
    guard (0xD800...0xDBFF).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw Self.flaw }
      return scalar
    }
    guard bytes[(position + 1)...].starts(with: Array("\\u".utf8)) else { throw Self.flaw }
    position += 2
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Self.flaw }
    return scalar
  }

  /// Four digits after the position, which moves to the last of them.
  private mutating func codeUnit() throws(GymFlaw) -> UInt32 {
    let digits = bytes[(position + 1)...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw Self.flaw }
    position += 4
    return unit
  }
}
