import Glibc
import Identifiers

/// Values as files write them.
enum PlainValues {
  /// A decimal number; `nil` for any other text.
  static func number(_ text: XMLText) -> Double? { exact(text) ?? converted(text) }

  static func number(_ text: UnsafePointer<CChar>) -> Double? { number(bytes(text)) }

  /// The number of a text without an exponent and with so few digits that they and the power of ten to divide them by are exact: then so is
  /// their quotient, without the work of `strtod`.
  private static func exact(_ text: XMLText) -> Double? {
    var (place, digits, count, scale, isFraction) = (0, Int64(0), 0, 1.0, false)
    while place < text.count, isSpace(text[place]) { place &+= 1 }
    let isNegative = place < text.count && text[place] == UInt8(ascii: "-")
    if isNegative { place &+= 1 }
    while place < text.count, !isSpace(text[place]) {
      let digit = text[place] &- UInt8(ascii: "0")
      if digit < 10 {
        digits = digits &* 10 &+ Int64(digit)
        count &+= 1
        if isFraction { scale *= 10 }
      } else {
        guard text[place] == UInt8(ascii: "."), !isFraction else { return nil }
        isFraction = true
      }
      place &+= 1
    }
    guard (1...15).contains(count) else { return nil }
    return (isNegative ? -Double(digits) : Double(digits)) / scale
  }

  private static func converted(_ text: XMLText) -> Double? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      var count = 0
      for byte in text.drop(while: isSpace).prefix(while: { !isSpace($0) }) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "e"), UInt8(ascii: "E"):
          guard count < 63 else { return nil }
          buffer[count] = CChar(bitPattern: byte)
          count += 1
        default: return nil
        }
      }
      guard count > 0, let start = buffer.baseAddress else { return nil }
      buffer[count] = 0
      var end: UnsafeMutablePointer<CChar>?
      let value = strtod(start, &end)
      return end == start + count && value.isFinite ? value : nil
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func bytes(_ text: UnsafePointer<CChar>) -> XMLText {
    UnsafeRawBufferPointer(start: text, count: strlen(text)).assumingMemoryBound(to: UInt8.self)
  }

  static func text(_ text: UnsafePointer<CChar>) -> String { String(cString: text) }

  static func text(_ bytes: XMLText) -> String {
    String(decoding: bytes, as: UTF8.self).trimmed
  }

  /// A moment as ISO 8601 or Apple's `2019-12-15 20:19:55 +0100`, and its offset in seconds; `nil` for other texts.
  ///
  /// A text without an offset is in UTC; its offset is `nil`.
  static func time(_ text: XMLText) -> (instant: Instant, offset: Int?)? {
    var digits = DigitReader(text)
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2), digits.skip("-"),
      let day = digits.number(2), let date = CivilDate(year: year, month: month, day: day), digits.skip("T", or: " ")
    else { return nil }
    guard let hour = digits.number(2), hour < 24, digits.skip(":"), let minute = digits.number(2), minute < 60
    else { return nil }
    var (second, micros) = (0, 0)
    if digits.skip(":") {
      guard let read = digits.number(2), read <= 60 else { return nil }
      second = read
      if digits.skip(".", or: ",") { micros = digits.fraction() }
    }
    var offset: Int?
    _ = digits.skip(" ")
    if digits.skip("Z", or: "z") {
      offset = 0
    } else if let sign = digits.sign() {
      guard let hours = digits.number(2), hours <= 24 else { return nil }
      _ = digits.skip(":")
      let minutes = digits.number(2) ?? 0
      offset = sign * (hours * 3_600 + minutes * 60)
    }
    guard digits.isAtEnd else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - (offset ?? 0)
    return (Instant(microseconds: Int64(seconds) * 1_000_000 + Int64(micros)), offset)
  }

  static func time(_ text: UnsafePointer<CChar>) -> (instant: Instant, offset: Int?)? {
    time(bytes(text))
  }

  /// An offset as a zone's name: `+02:00`.
  static func zone(ofOffset seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// Reads the parts of a time.
private struct DigitReader {
  private let text: XMLText
  private var place = 0

  init(_ text: XMLText) {
    self.text = text
    while place < text.count, text[place] <= 0x20 { place += 1 }
  }

  var isAtEnd: Bool { text[place...].allSatisfy { $0 <= 0x20 } }

  /// A digit; `nil` and no further if another byte comes, or none.
  private mutating func digit() -> Int? {
    guard place < text.count, (0x30...0x39).contains(text[place]) else { return nil }
    place += 1
    return Int(text[place - 1] - 0x30)
  }

  /// A number of exactly so many digits.
  mutating func number(_ count: Int) -> Int? {
    let start = place
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else {
        place = start
        return nil
      }
      value = value * 10 + digit
    }
    return value
  }

  mutating func skip(_ one: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
    guard place < text.count, text[place] == UInt8(ascii: one) || other.map({ text[place] == UInt8(ascii: $0) }) == true
    else { return false }
    place += 1
    return true
  }

  mutating func sign() -> Int? {
    if skip("+") { return 1 }
    return skip("-") ? -1 : nil
  }

  /// Digits behind a point, as microseconds.
  mutating func fraction() -> Int {
    var (value, scale) = (0, 100_000)
    while let digit = digit() {
      value += digit * scale
      scale /= 10
    }
    return value
  }
}
