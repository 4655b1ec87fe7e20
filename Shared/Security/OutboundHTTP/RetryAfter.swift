public import Identifiers

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
public enum RetryAfter {
  /// A longer wait than a day is cut to it.
  private static let maxDuration: Duration = .seconds(24 * 3_600)

  /// How long to wait: from a number of seconds, or from a date in the form that servers must send. `nil` for anything else.
  public static func wait(_ text: String, now: Instant) -> Duration? {
    let text = text.trimmed
    if let seconds = Int64(text) { return seconds < 0 ? nil : min(.seconds(seconds), maxDuration) }
    return date(text).map { min(max($0 - now, .zero), maxDuration) }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: Substring) -> Instant? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
      let month = months.firstIndex(of: parts[2]), let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
    guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    let seconds = Int64(date.daysSince1970) * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    return Instant(microseconds: seconds * 1_000_000)
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension String {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...last]
  }
}
