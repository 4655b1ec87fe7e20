/// Timestamps, durations and dates in the formats of protobuf's JSON mapping.
enum TimeText {
  /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, the range of `google.protobuf.Timestamp`.
  static let timestampSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  /// About ±10,000 years, the range of `google.protobuf.Duration`.
  static let durationSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  /// "2026-11-21T03:50:00.120Z"; `nil` out of range.
  static func timestamp(seconds: Int64, nanos: Int32) -> String? {
    guard timestampSeconds.contains(seconds), (0..<1_000_000_000).contains(nanos) else { return nil }
    let days = Int(seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1)
    let rest = Int(seconds - Int64(days) * 86_400)
    let (year, month, day) = civil(days: days)
    let clock = "\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock)\(fraction(nanos))Z"
  }

  /// Parses RFC 3339; `nil` if the text is invalid or out of range.
  static func timestamp(_ text: String) -> (seconds: Int64, nanos: Int32)? {
    var scan = Scan(text)
    guard let (year, month, day) = scan.date(), scan.take("T"), let hour = scan.digits(2), scan.take(":"),
      let minute = scan.digits(2), scan.take(":"), let second = scan.digits(2), hour < 24, minute < 60, second < 60,
      let nanos = scan.fraction()
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

  /// "-1.500s"; `nil` if out of range or if the signs differ.
  static func duration(seconds: Int64, nanos: Int32) -> String? {
    guard durationSeconds.contains(seconds), (-999_999_999...999_999_999).contains(nanos),
      !(seconds > 0 && nanos < 0), !(seconds < 0 && nanos > 0)
    else { return nil }
    let sign = seconds < 0 || nanos < 0 ? "-" : ""
    return "\(sign)\(seconds.magnitude)\(fraction(abs(nanos)))s"
  }

  /// Parses "1.5s"; `nil` if the text is invalid or out of range.
  static func duration(_ text: String) -> (seconds: Int64, nanos: Int32)? {
    var scan = Scan(text)
    let sign: Int64 = scan.take("-") ? -1 : 1
    guard let seconds = scan.number(), let nanos = scan.fraction(), scan.take("s"), scan.isAtEnd,
      durationSeconds.contains(seconds)
    else { return nil }
    return (sign * seconds, Int32(sign) * nanos)
  }

  /// Parses "2001-02-03"; `nil` if there is no such day.
  static func date(_ text: String) -> (year: Int, month: Int, day: Int)? {
    var scan = Scan(text)
    guard let date = scan.date(), scan.isAtEnd else { return nil }
    return date
  }

  /// None, or 3, 6 or 9 digits.
  private static func fraction(_ nanos: Int32) -> String {
    if nanos == 0 { return "" }
    if nanos % 1_000_000 == 0 { return ".\(padded(Int(nanos) / 1_000_000, 3))" }
    if nanos % 1_000 == 0 { return ".\(padded(Int(nanos) / 1_000, 6))" }
    return ".\(padded(Int(nanos), 9))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The proleptic Gregorian date, `days` after 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
  private static func civil(days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// A scanner over a text.
  private struct Scan {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard let byte = rest.first, Unicode.Scalar(byte) == character else { return false }
      rest.removeFirst()
      return true
    }

    mutating func run(atMost limit: Int) -> Substring.UTF8View {
      let digits = rest.prefix(limit).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      rest = rest.dropFirst(digits.count)
      return digits
    }

    mutating func digits(_ count: Int) -> Int? {
      let digits = run(atMost: count)
      return digits.count == count ? Int(Substring(digits)) : nil
    }

    mutating func number() -> Int64? { Int64(Substring(run(atMost: 18))) }

    /// Nanoseconds of an optional fraction of up to nine digits.
    mutating func fraction() -> Int32? {
      guard take(".") else { return 0 }
      let digits = String(Substring(run(atMost: 9)))
      return digits.isEmpty ? nil : Int32(digits + String(repeating: "0", count: 9 - digits.count))
    }

    mutating func date() -> (year: Int, month: Int, day: Int)? {
      guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2), year >= 1 else {
        return nil
      }
      guard (1...12).contains(month), day >= 1,
        TimeText.civil(days: TimeText.days(year, month, day)) == (year, month, day)
      else { return nil }
      return (year, month, day)
    }
  }
}
