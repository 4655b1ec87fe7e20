import GatewayText

/// The tokens of a JSON text (RFC 8259), read from its start without copies and without recursion of its own.
struct JSONReader {
  private let text: UnsafeBufferPointer<UInt8>
  private(set) var at = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// A string as it stands between its quotes.
  struct RawString {
    let bytes: UnsafeBufferPointer<UInt8>
    let hasEscapes: Bool
    let isASCII: Bool
  }

  mutating func skipSpace() {
    while at < text.count {
      switch text[at] {
      case 0x20, 0x09, 0x0A, 0x0D: at += 1
      default: return
      }
    }
  }

  /// The first byte of the next token; 0 at the end.
  mutating func peek() -> UInt8 {
    skipSpace()
    return at < text.count ? text[at] : 0
  }

  /// Takes the byte, where it is the next token.
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(truncatingIfNeeded: byte.value), at < text.count else { return false }
    at += 1
    return true
  }

  mutating func expect(_ byte: Unicode.Scalar) throws(TranscodingError) {
    guard take(byte) else { throw unexpected("\"\(byte)\" is expected") }
  }

  /// Nothing but space may follow.
  mutating func expectEnd() throws(TranscodingError) {
    skipSpace()
    guard at == text.count else { throw unexpected("the text goes on after its end") }
  }

  func unexpected(_ reason: String) -> TranscodingError {
    TranscodingError("is not well-formed JSON: \(reason) at byte \(at)")
  }

  /// Takes `true`, `false` or `null`, where it is next.
  mutating func takeWord(_ word: StaticString) -> Bool {
    guard text.count - at >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where text[at + index] != word.utf8Start[index] { return false }
    at += word.utf8CodeUnitCount
    return true
  }

  mutating func string() throws(TranscodingError) -> RawString {
    try expect("\"")
    let start = at
    var (hasEscapes, bits) = (false, UInt8(0))
    while at < text.count {
      let byte = text[at]
      if byte == 0x22 {
        let bytes = UnsafeBufferPointer(rebasing: text[start..<at])
        at += 1
        return RawString(bytes: bytes, hasEscapes: hasEscapes, isASCII: bits < 0x80)
      }
      if byte < 0x20 { throw unexpected("a control character in a string") }
      if byte == 0x5C {
        hasEscapes = true
        at += 1
      }
      bits |= byte
      at += 1
    }
    throw unexpected("a string without an end")
  }

  /// The bytes of a number, by the grammar of JSON.
  mutating func number() throws(TranscodingError) -> UnsafeBufferPointer<UInt8> {
    skipSpace()
    let start = at
    guard let end = Self.endOfNumber(in: text, from: start) else { throw unexpected("a value is expected") }
    at = end
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  /// The end of the number that begins at `start`; `nil` when none does.
  static func endOfNumber(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var at = start
    func isDigit(_ index: Int) -> Bool { index < text.count && text[index] >= 0x30 && text[index] <= 0x39 }
    if at < text.count, text[at] == 0x2D { at += 1 }
    guard isDigit(at) else { return nil }
    if text[at] == 0x30 {
      at += 1
      guard !isDigit(at) else { return nil }
    } else {
      while isDigit(at) { at += 1 }
    }
    if at < text.count, text[at] == 0x2E {
      at += 1
      guard isDigit(at) else { return nil }
      while isDigit(at) { at += 1 }
    }
    if at < text.count, text[at] | 0x20 == 0x65 {
      at += 1
      if at < text.count, text[at] == 0x2B || text[at] == 0x2D { at += 1 }
      guard isDigit(at) else { return nil }
      while isDigit(at) { at += 1 }
    }
    return at
  }

  /// Appends the characters of a string.
  func append(_ string: RawString, to out: inout [UInt8]) throws(TranscodingError) {
    guard string.isASCII || isUTF8(string.bytes) else { throw .invalidUTF8 }
    guard string.hasEscapes else {
      out.append(contentsOf: string.bytes)
      return
    }
    var rest = Escapes(string.bytes)
    try rest.unescape(to: &out)
  }

  /// Skips a value of any kind, nested at most `depth` deep. Without recursion: it is a caller's text.
  mutating func skipValue(depth: Int) throws(TranscodingError) {
    // Whether each open bracket is an object's.
    var open: [Bool] = []
    repeat {
      switch peek() {
      case UInt8(ascii: "{"):
        at += 1
        if take("}") { break }
        try enter(&open, true, depth)
        try skipKey()
        continue
      case UInt8(ascii: "["):
        at += 1
        if take("]") { break }
        try enter(&open, false, depth)
        continue
      case UInt8(ascii: "\""):
        let raw = try string()
        guard raw.isASCII || isUTF8(raw.bytes) else { throw .invalidUTF8 }
        if raw.hasEscapes {
          var (rest, ignored) = (Escapes(raw.bytes), [UInt8]())
          try rest.unescape(to: &ignored)
        }
      default:
        if !takeWord("true"), !takeWord("false"), !takeWord("null") { _ = try number() }
      }
      // A value ended: so do the brackets that close after it.
      while let isObject = open.last {
        if take(",") {
          if isObject { try skipKey() }
          break
        }
        try expect(isObject ? "}" : "]")
        open.removeLast()
      }
    } while !open.isEmpty
  }

  private func enter(_ open: inout [Bool], _ isObject: Bool, _ depth: Int) throws(TranscodingError) {
    guard open.count < depth else { throw .tooDeep }
    open.append(isObject)
  }

  private mutating func skipKey() throws(TranscodingError) {
    skipSpace()
    let raw = try string()
    guard raw.isASCII || isUTF8(raw.bytes) else { throw .invalidUTF8 }
    try expect(":")
  }
}

/// The content of a string with escapes.
private struct Escapes {
  private let text: UnsafeBufferPointer<UInt8>
  private var at = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  mutating func unescape(to out: inout [UInt8]) throws(TranscodingError) {
    while at < text.count {
      let byte = text[at]
      at += 1
      guard byte == 0x5C else {
        out.append(byte)
        continue
      }
      // The reader of the string has seen that a byte follows.
      let letter = text[at]
      at += 1
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(letter)
      case UInt8(ascii: "b"): out.append(0x08)
      case UInt8(ascii: "f"): out.append(0x0C)
      case UInt8(ascii: "n"): out.append(0x0A)
      case UInt8(ascii: "r"): out.append(0x0D)
      case UInt8(ascii: "t"): out.append(0x09)
      case UInt8(ascii: "u"): out.append(contentsOf: Array(String(try scalar()).utf8))
      default: throw TranscodingError("is not well-formed JSON: an unknown escape in a string")
      }
    }
  }

  private mutating func scalar() throws(TranscodingError) -> Unicode.Scalar {
    let unit = try hex()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Half of a pair.
    guard (0xD800..<0xDC00).contains(unit), at + 1 < text.count, text[at] == 0x5C, text[at + 1] == UInt8(ascii: "u")
    else { throw Self.loneSurrogate }
    at += 2
    let low = try hex()
    guard (0xDC00..<0xE000).contains(low), let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + low - 0xDC00)
    else { throw Self.loneSurrogate }
    return scalar
  }

  private static let loneSurrogate = TranscodingError("has half of a surrogate pair, which is no character")

  private mutating func hex() throws(TranscodingError) -> UInt32 {
    guard at + 4 <= text.count else { throw TranscodingError("is not well-formed JSON: a short escape in a string") }
    var value: UInt32 = 0
    for index in at..<(at + 4) {
      let digit: UInt32
      switch text[index] {
      case 0x30...0x39: digit = UInt32(text[index]) - 0x30
      case 0x41...0x46: digit = UInt32(text[index]) - 0x41 + 10
      case 0x61...0x66: digit = UInt32(text[index]) - 0x61 + 10
      default: throw TranscodingError("is not well-formed JSON: an escape without four digits in a string")
      }
      value = value << 4 | digit
    }
    at += 4
    return value
  }
}

/// A whole number from the text of a JSON number, exact at any size; `nil` when it is not whole or beyond 64 bits.
func wholeNumber(_ text: UnsafeBufferPointer<UInt8>) -> (isNegative: Bool, magnitude: UInt64)? {
  var at = 0
  let isNegative = !text.isEmpty && text[0] == 0x2D
  if isNegative { at = 1 }
  var digits: [UInt8] = []
  var (exponent, isFraction) = (0, false)
  while at < text.count, text[at] | 0x20 != 0x65 {
    if text[at] == 0x2E {
      isFraction = true
    } else {
      if isFraction { exponent -= 1 }
      digits.append(text[at] - 0x30)
    }
    at += 1
  }
  if at < text.count {
    at += 1
    var sign = 1
    if text[at] == 0x2B || text[at] == 0x2D {
      sign = text[at] == 0x2D ? -1 : 1
      at += 1
    }
    var given = 0
    // Longer exponents have no whole number of 64 bits, whatever the digits, which a request's size limits.
    while at < text.count, given < 100_000_000 {
      given = given * 10 + Int(text[at] - 0x30)
      at += 1
    }
    exponent += sign * given
  }
  while digits.last == 0, digits.count > 1 {
    digits.removeLast()
    exponent += 1
  }
  if digits == [0] { return (isNegative, 0) }
  guard exponent >= 0, exponent < 20 else { return nil }
  var value: UInt64 = 0
  for digit in digits + Array(repeating: 0, count: exponent) {
    let (product, overflows) = value.multipliedReportingOverflow(by: 10)
    let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(digit))
    guard !overflows, !overflowsToo else { return nil }
    value = sum
  }
  return (isNegative, value)
}
