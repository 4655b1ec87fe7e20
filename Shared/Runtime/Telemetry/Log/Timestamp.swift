import Glibc

/// A moment of the wall clock, for log lines: milliseconds since 1970 UTC.
struct Timestamp: Sendable, Equatable {
  let milliseconds: Int64

  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Appends RFC 3339 in UTC with milliseconds, e.g. `2026-11-21T03:37:29.123Z`.
  func appendRFC3339(to bytes: inout [UInt8]) {
    let (seconds, fraction) = milliseconds.flooredDivision(by: 1000)
    let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
    let date = Self.civil(daysSince1970: days)
    bytes.appendDigits(date.year, width: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(date.month, width: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(date.day, width: 2)
    bytes.append(UInt8(ascii: "T"))
    appendTimeOfDay(secondOfDay, fraction, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Appends the time of day in UTC with milliseconds, e.g. `03:37:29.123`.
  func appendTimeOfDay(to bytes: inout [UInt8]) {
    let (seconds, fraction) = milliseconds.flooredDivision(by: 1000)
    appendTimeOfDay(seconds.flooredDivision(by: 86_400).remainder, fraction, to: &bytes)
  }

  private func appendTimeOfDay(_ secondOfDay: Int64, _ fraction: Int64, to bytes: inout [UInt8]) {
    bytes.appendDigits(secondOfDay / 3600, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendDigits(secondOfDay / 60 % 60, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendDigits(secondOfDay % 60, width: 2)
    bytes.append(UInt8(ascii: "."))
    bytes.appendDigits(fraction, width: 3)
  }

  /// The proleptic Gregorian date of a day number, by shifting the year to start in March
  /// so that the leap day is the last of it and months have a linear formula.
  private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  /// Quotient and remainder with the remainder never negative.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension [UInt8] {
  /// Appends a non-negative number in decimal, zero-padded to `width`.
  mutating func appendDigits(_ number: Int64, width: Int) {
    let start = count
    var rest = number
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    while count - start < width { append(UInt8(ascii: "0")) }
    self[start...].reverse()
  }
}
