import Identifiers

/// What a preview of a share link shows of an activity ([CA-15]): figures, and nothing of who and where.
package enum ActivityPreview {
  /// What it was, and how far.
  ///
  /// - Parameter metres: `nil` if it is not known.
  package static func title(_ sport: Sport, metres: Double?) -> String {
    let word = sport == .other ? "Activity" : sport.rawValue.prefix(1) + sport.rawValue.dropFirst().lowercased()
    guard let metres, metres.isFinite, metres >= 1, metres < 1e9 else { return String(word) }
    let tens = Int((metres / 100).rounded())
    return metres < 1_000 ? "\(word), \(Int(metres)) m" : "\(word), \(tens / 10).\(tens % 10) km"
  }

  /// The day, and how long it took.
  package static func text(_ day: CivilDate, seconds: Double) -> String {
    let date = "\(day.day) \(months[day.month - 1]) \(day.year)"
    guard seconds.isFinite, seconds >= 1, seconds < 1e9 else { return date }
    let whole = Int(seconds)
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    if hours > 0 { return "\(date), \(hours) h \(minutes) min" }
    return minutes > 0 ? "\(date), \(minutes) min" : "\(date), \(whole) s"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The offset from UTC that a text such as `+02:00` says; `nil` for the name of a zone.
  package static func offset(_ zone: String) -> Duration? {
    guard let sign = zone.first, sign == "+" || sign == "-" else { return nil }
    let parts = zone.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]), (0...23).contains(hours),
      (0...59).contains(minutes)
    else { return nil }
    return .seconds((sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60))
  }
}
