import Identifiers

/// A time as providers write it: with an offset, or as a local time whose zone is elsewhere or unknown.
package struct ProviderTime: Sendable, Hashable {
  /// The local time, as if its zone were UTC.
  package let local: Instant
  /// Seconds east of UTC; `nil` for a local time.
  package let offsetSeconds: Int64?

  /// The moment; a local time without an offset counts as one with `assumedOffset`.
  package func moment(assuming assumedOffset: Int64 = 0) -> Instant {
    local - .seconds(offsetSeconds ?? assumedOffset)
  }

  /// Reads `2017-01-02T08:42:26.000Z`, `2011-06-16 14:00`, `20170102T084226+0200`, `01/02/17 08:42:26` (month first) and the like; `nil`
  /// for what is no time of the years 1970 to 2100.
  package init?(_ text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date() else { return nil }
    var seconds = Int64(date.daysSince1970) * 86_400
    var (micros, offset): (Int64, Int64?) = (0, nil)
    if reader.skip(anyOf: "Tt ") {
      guard let time = reader.time() else { return nil }
      seconds += time.seconds
      micros = time.micros
      guard let zone = reader.offset() else { return nil }
      offset = zone.seconds
    }
    guard reader.isAtEnd, (1_970...2_100).contains(date.year) else { return nil }
    local = Instant(microseconds: seconds * 1_000_000 + micros)
    offsetSeconds = offset
  }

  /// `2017-01-02`, also with a time behind it, which is ignored.
  package static func day(_ text: String) -> CivilDate? {
    var reader = DigitReader(text)
    guard let day = reader.date(), (1_970...2_100).contains(day.year) else { return nil }
    return reader.isAtEnd || reader.skip(anyOf: "Tt ") ? day : nil
  }

  /// A moment from seconds since 1970 that are of the years 1970 to 2100.
  package static func moment(unixSeconds: Double?) -> Instant? {
    guard let unixSeconds, (0..<4_133_980_800).contains(unixSeconds) else { return nil }
    return Instant(microseconds: Int64(unixSeconds * 1_000_000))
  }

  /// `+02:00` for the offset of a zone; `UTC` for none.
  package static func zone(offsetSeconds: Int64) -> String {
    guard offsetSeconds != 0, abs(offsetSeconds) <= 18 * 3_600 else { return "UTC" }
    let minutes = abs(offsetSeconds) / 60
    let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    return (offsetSeconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }

  /// `PT1H2M3.5S` or `1800s` in seconds; `nil` for anything else.
  package static func duration(_ text: String) -> Double? {
    if text.hasSuffix("s"), let seconds = Double(text.dropLast()), seconds.isFinite { return seconds }
    guard text.hasPrefix("P") else { return nil }
    var (total, number, isTime) = (0.0, "", false)
    for letter in text.dropFirst() {
      switch letter {
      case "0"..."9", ".": number.append(letter)
      case "T" where number.isEmpty: isTime = true
      case "D", "H", "M", "S":
        let unit: Double = letter == "D" ? 86_400 : letter == "H" ? 3_600 : letter == "M" ? 60 : 1
        guard let value = Double(number), letter == "D" || isTime else { return nil }
        total += value * unit
        number = ""
      default: return nil
      }
    }
    return number.isEmpty && total.isFinite ? total : nil
  }
}

/// Reads the parts of a time from the start of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  /// Bytes; no time is longer.
  private static let maxLength = 64

  init(_ text: String) { rest = Substring(text.utf8.count <= Self.maxLength ? text : "").utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(anyOf characters: String) -> Bool {
    guard let byte = rest.first, characters.utf8.contains(byte) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number(_ digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
      rest.removeFirst()
    }
    return value
  }

  mutating func date() -> CivilDate? {
    var american = self
    if let date = american.americanDate() {
      self = american
      return date
    }
    guard let year = number(4) else { return nil }
    let isDashed = skip(anyOf: "-")
    guard let month = number(2), !isDashed || skip(anyOf: "-"), let day = number(2) else { return nil }
    return CivilDate(year: Int(year), month: Int(month), day: Int(day))
  }

  /// `01/24/22` or `01/24/2022`.
  private mutating func americanDate() -> CivilDate? {
    guard let month = number(2), skip(anyOf: "/"), let day = number(2), skip(anyOf: "/"), let start = number(2) else {
      return nil
    }
    // Two digits are of 1970 to 2069, as in POSIX.
    let isShort = !(rest.first.map { (0x30...0x39).contains($0) } ?? false)
    guard let end = isShort ? start : number(2) else { return nil }
    let year = isShort ? (start < 70 ? 2_000 : 1_900) + start : start * 100 + end
    return CivilDate(year: Int(year), month: Int(month), day: Int(day))
  }

  mutating func time() -> (seconds: Int64, micros: Int64)? {
    guard let hour = number(2) else { return nil }
    let isSeparated = skip(anyOf: ":")
    guard let minute = number(2) else { return nil }
    var second: Int64 = 0
    if isSeparated ? skip(anyOf: ":") : (rest.first.map { (0x30...0x39).contains($0) } ?? false) {
      guard let read = number(2) else { return nil }
      second = read
    }
    // A second of 60 is a leap second, and the next one here.
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    var (micros, scale): (Int64, Int64) = (0, 100_000)
    if skip(anyOf: ".,") {
      while let digit = number(1) {
        micros += digit * scale
        scale /= 10
      }
    }
    return (hour * 3_600 + minute * 60 + second, micros)
  }

  /// `nil` for a broken offset; without one its seconds are `nil`.
  mutating func offset() -> (seconds: Int64?, Void)? {
    if isAtEnd { return (nil, ()) }
    if skip(anyOf: "Zz") { return (0, ()) }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip(anyOf: "+-"), let hours = number(2) else { return nil }
    _ = skip(anyOf: ":")
    let minutes = isAtEnd ? 0 : number(2)
    guard let minutes, hours <= 18, minutes < 60 else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return (isWest ? -seconds : seconds, ())
  }
}
