import Glibc
import Identifiers

/// Values as files write them.
enum PlainValues {
  /// A decimal number; `nil` for any other text.
  static func number(_ text: some Collection<UInt8>) -> Double? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      var count = 0
      for byte in text {
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
          if count == 0 { continue }
          break
        }
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

  static func number(_ text: UnsafePointer<CChar>) -> Double? {
    number(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  static func text(_ text: UnsafePointer<CChar>) -> String { String(cString: text) }

  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).trimmed
  }

  /// A moment as ISO 8601 or Apple's `2019-12-15 20:19:55 +0100`, and its offset in seconds; `nil` for other texts.
  ///
  /// A text without an offset is in UTC; its offset is `nil`.
  static func time(_ text: some Collection<UInt8>) -> (instant: Instant, offset: Int?)? {
    var digits = DigitReader(text)
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2), digits.skip("-"),
      let day = digits.number(2), let date = CivilDate(year: year, month: month, day: day), digits.skip("T ")
    else { return nil }
    guard let hour = digits.number(2), hour < 24, digits.skip(":"), let minute = digits.number(2), minute < 60
    else { return nil }
    var (second, micros) = (0, 0)
    if digits.skip(":") {
      guard let read = digits.number(2), read <= 60 else { return nil }
      second = read
      if digits.skip(".,") { micros = digits.fraction() }
    }
    var offset: Int?
    _ = digits.skip(" ")
    if digits.skip("Zz") {
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
    time(UnsafeRawBufferPointer(start: text, count: strlen(text)))
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
private struct DigitReader<Bytes: Collection> where Bytes.Element == UInt8 {
  private var rest: Bytes.SubSequence

  init(_ text: Bytes) {
    rest = text[...]
    while let first = rest.first, first <= 0x20 { rest.removeFirst() }
  }

  var isAtEnd: Bool { rest.allSatisfy { $0 <= 0x20 } }

  /// A number of exactly so many digits.
  mutating func number(_ count: Int) -> Int? {
    var (value, left) = (0, rest)
    for _ in 0..<count {
      guard let byte = left.popFirst(), (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest = left
    return value
  }

  mutating func skip(_ any: StaticString) -> Bool {
    guard let byte = rest.first, any.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func sign() -> Int? {
    if skip("+") { return 1 }
    return skip("-") ? -1 : nil
  }

  /// Digits behind a point, as microseconds.
  mutating func fraction() -> Int {
    var (value, scale) = (0, 100_000)
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      value += Int(byte - 0x30) * scale
      scale /= 10
      rest.removeFirst()
    }
    return value
  }
}
