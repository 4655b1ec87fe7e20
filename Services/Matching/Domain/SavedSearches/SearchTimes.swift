import VisibleText

/// When sessions may start that a saved search finds, by the clocks of a time zone.
package struct SearchTimes: Sendable, Hashable {
  /// The sum of 1 for Monday, 2 for Tuesday, to 64 for Sunday.
  package let weekdays: Int16
  /// The first and the last minute of the day; the last is before the first if the span is over midnight. `nil` for the whole day.
  package let minutes: Minutes?
  /// An IANA name; `nil` if every moment is admitted.
  package let zone: String?

  /// A span of minutes of a day, both 0 to 1439.
  package struct Minutes: Sendable, Hashable {
    package let earliest: Int16
    package let latest: Int16

    /// `nil` for a minute that no day has.
    package init?(earliest: Int, latest: Int) {
      guard (0..<1_440).contains(earliest), (0..<1_440).contains(latest) else { return nil }
      (self.earliest, self.latest) = (Int16(earliest), Int16(latest))
    }
  }

  /// Every moment.
  package static let always = SearchTimes(weekdays: 127, minutes: nil, zone: nil)

  private init(weekdays: Int16, minutes: Minutes?, zone: String?) {
    (self.weekdays, self.minutes, self.zone) = (weekdays, minutes, zone)
  }

  /// `nil` if a day is none or occurs twice, or if days or minutes come without a zone.
  ///
  /// - Parameter days: 1 for Monday to 7 for Sunday; empty for all.
  package init?(days: [Int], minutes: Minutes?, zone: String?) {
    guard days.allSatisfy({ (1...7).contains($0) }), Set(days).count == days.count,
      zone != nil || (days.isEmpty && minutes == nil)
    else { return nil }
    self.init(
      weekdays: days.isEmpty ? 127 : days.reduce(0) { $0 | 1 << Int16($1 - 1) }, minutes: minutes,
      zone: days.isEmpty && minutes == nil ? nil : zone)
  }

  /// The days, 1 for Monday to 7 for Sunday; empty for all.
  package static func days(of weekdays: Int16) -> [Int] {
    weekdays == 127 ? [] : (1...7).filter { weekdays & 1 << Int16($0 - 1) != 0 }
  }
}

/// What the name of a saved search may be.
package enum SearchNameLimit: TextLimit {
  package static let name = "The search's name"
  /// Code points.
  package static let maxLength = 80
}
package typealias SearchName = VisibleText<SearchNameLimit>
