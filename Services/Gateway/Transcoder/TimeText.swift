import GatewayText

/// Timestamps and durations in the formats of protobuf's JSON mapping.
enum TimeText {
  /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, the range of `google.protobuf.Timestamp`.
  static let timestampSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  /// About ±10,000 years, the range of `google.protobuf.Duration`.
  static let durationSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  /// Writes `2026-11-21T03:50:00.120Z`; false when it is out of range.
  static func appendTimestamp(_ seconds: Int64, _ nanos: Int64, to out: inout [UInt8]) -> Bool {
    guard timestampSeconds.contains(seconds), (0..<1_000_000_000).contains(nanos) else { return false }
    let days = Int(seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1)
    let rest = Int(seconds - Int64(days) * 86_400)
    let (year, month, day) = civil(days)
    out.append(year, width: 4)
    out.append(UInt8(ascii: "-"))
    out.append(month, width: 2)
    out.append(UInt8(ascii: "-"))
    out.append(day, width: 2)
    out.append(UInt8(ascii: "T"))
    out.append(rest / 3_600, width: 2)
    out.append(UInt8(ascii: ":"))
    out.append(rest / 60 % 60, width: 2)
    out.append(UInt8(ascii: ":"))
    out.append(rest % 60, width: 2)
    appendFraction(nanos, to: &out)
    out.append(UInt8(ascii: "Z"))
    return true
  }

  /// Writes `-1.500s`; false when it is out of range or the signs differ.
  static func appendDuration(_ seconds: Int64, _ nanos: Int64, to out: inout [UInt8]) -> Bool {
    guard durationSeconds.contains(seconds), (-999_999_999...999_999_999).contains(nanos),
      seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0)
    else { return false }
    if seconds < 0 || nanos < 0 { out.append(UInt8(ascii: "-")) }
    out.append(decimal: seconds.magnitude)
    appendFraction(abs(nanos), to: &out)
    out.append(UInt8(ascii: "s"))
    return true
  }

  /// Nothing, or 3, 6 or 9 digits.
  private static func appendFraction(_ nanos: Int64, to out: inout [UInt8]) {
    guard nanos != 0 else { return }
    out.append(UInt8(ascii: "."))
    if nanos % 1_000_000 == 0 {
      out.append(Int(nanos / 1_000_000), width: 3)
    } else if nanos % 1_000 == 0 {
      out.append(Int(nanos / 1_000), width: 6)
    } else {
      out.append(Int(nanos), width: 9)
    }
  }

  /// Reads RFC 3339; `nil` for any other text, and out of range.
  static func timestamp(_ text: UnsafeBufferPointer<UInt8>) -> (seconds: Int64, nanos: Int32)? {
    var scan = Scan(text)
    guard let year = scan.digits(4), scan.take("-"), let month = scan.digits(2), scan.take("-"),
      let day = scan.digits(2), scan.take("T"), let hour = scan.digits(2), scan.take(":"),
      let minute = scan.digits(2), scan.take(":"), let second = scan.digits(2), let nanos = scan.fraction(),
      (1...12).contains(month), day >= 1, day <= Self.length(of: month, year), hour < 24, minute < 60, second < 60
    else { return nil }
    var offset = 0
    if !scan.take("Z") {
      let sign = scan.take("+") ? 1 : scan.take("-") ? -1 : 0
      guard sign != 0, let hours = scan.digits(2), scan.take(":"), let minutes = scan.digits(2), hours < 24,
        minutes < 60
      else { return nil }
      offset = sign * (hours * 3_600 + minutes * 60)
    }
    let seconds = Int64(days(year, month, day)) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
    guard scan.isAtEnd, timestampSeconds.contains(seconds) else { return nil }
    return (seconds, nanos)
  }

  /// Reads `-1.5s`; `nil` for any other text, and out of range.
  static func duration(_ text: UnsafeBufferPointer<UInt8>) -> (seconds: Int64, nanos: Int32)? {
    var scan = Scan(text)
    let isNegative = scan.take("-")
    guard let whole = scan.number(maxDigits: 12), let nanos = scan.fraction(), scan.take("s"), scan.isAtEnd,
      durationSeconds.contains(whole)
    else { return nil }
    return isNegative ? (-whole, -nanos) : (whole, nanos)
  }

  private static func length(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

/// Reads a text of ASCII from its start.
private struct Scan {
  private let text: UnsafeBufferPointer<UInt8>
  private var at = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  var isAtEnd: Bool { at == text.count }

  private var digit: Int? {
    guard at < text.count, text[at] >= 0x30, text[at] <= 0x39 else { return nil }
    return Int(text[at] - 0x30)
  }

  mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard at < text.count, text[at] == UInt8(truncatingIfNeeded: letter.value) else { return false }
    at += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit else { return nil }
      value = value * 10 + digit
      at += 1
    }
    return value
  }

  mutating func number(maxDigits: Int) -> Int64? {
    let start = at
    var value: Int64 = 0
    while let digit {
      guard at - start < maxDigits else { return nil }
      value = value * 10 + Int64(digit)
      at += 1
    }
    return at > start ? value : nil
  }

  /// A point with 1 to 9 digits, as nanoseconds; 0 when there is no point.
  mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    let start = at
    var value: Int32 = 0
    while let digit {
      guard at - start < 9 else { return nil }
      value = value * 10 + Int32(digit)
      at += 1
    }
    guard at > start else { return nil }
    for _ in (at - start)..<9 { value *= 10 }
    return value
  }
}
