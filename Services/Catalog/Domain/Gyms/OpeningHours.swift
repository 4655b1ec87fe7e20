import Identifiers

/// When a gym is open, as far as the common forms of OpenStreetMap's `opening_hours` say it ([CA-3]).
public struct OpeningHours: Sendable, Equatable {
  /// From opening to closing, in minutes of the day on which it opens.
  public struct Span: Sendable, Hashable {
    /// 0 to 1,439.
    public let opens: Int
    /// After `opens`, by a day at most: beyond 1,440 it is on the next day.
    public let closes: Int

    static let wholeDay = Span(opens: 0, closes: LocalMinute.perDay)
  }

  /// Days of the year.
  enum Dates: Sendable, Equatable {
    /// Days since 1970-01-01.
    case once(ClosedRange<Int>)
    /// Every year, from one to the other inclusive, each as month times 100 and day; beyond the end of the year where the last comes
    /// first.
    case yearly(first: Int, last: Int)

    func contains(_ day: Int, _ date: CivilDate) -> Bool {
      switch self {
      case .once(let days): return days.contains(day)
      case .yearly(let first, let last):
        let place = date.month * 100 + date.day
        return first <= last ? (first...last).contains(place) : place >= first || place <= last
      }
    }
  }

  /// Hours for some days.
  struct Rule: Sendable, Equatable {
    /// Any when it is empty.
    var dates: [Dates] = []
    /// A bit for each day of the week, Monday's the lowest; `nil` for all.
    var weekdays: UInt8?
    /// Whether it is also, or only, for public holidays.
    var namesPublicHolidays = false
    /// Whether it adds to the rules before it and does not take their place.
    var adds = false
    /// None where the days are days off.
    var spans: [Span] = []

    /// Whether it is about public holidays alone: which days those are nobody knows here.
    var isForPublicHolidaysOnly: Bool { namesPublicHolidays && weekdays == nil }

    func applies(toWeekday weekday: Int) -> Bool {
      weekdays.map { $0 & 1 << weekday != 0 } ?? !namesPublicHolidays
    }
  }

  /// Whether a gym is open at a moment.
  public struct State: Sendable, Equatable {
    /// Whether it is open.
    public let isOpen: Bool
    /// When that changes; `nil` when it does not within a year.
    public let nextChange: Instant?

    /// It never closes.
    public static let alwaysOpen = State(isOpen: true, nextChange: nil)
  }

  /// A year and a day: what happens on a date happens again.
  private static let maxLook = 367
  /// Without dates every week is like the last.
  private static let weekLook = 9

  let rules: [Rule]

  /// Whether it has a rule for public holidays, which is not applied.
  public var hasPublicHolidayRule: Bool { rules.contains(where: \.namesPublicHolidays) }

  /// Whether it is open whatever the time, so that no zone is needed to say so.
  public var isAlwaysOpen: Bool { rules == [Rule(spans: [.wholeDay])] }

  private var hasDates: Bool { rules.contains { !$0.dates.isEmpty } }

  /// The spans that begin on a weekday, 0 for Monday, of an ordinary week.
  public func spans(onWeekday weekday: Int) -> [Span] {
    Self.spans(rules.filter { $0.dates.isEmpty && $0.applies(toWeekday: weekday) })
  }

  /// The spans that begin on a day.
  ///
  /// - Parameter day: since 1970-01-01.
  public func spans(onDay day: Int) -> [Span] {
    let (date, weekday) = (CivilDate(daysSince1970: day), Self.weekday(ofDay: day))
    return Self.spans(
      rules.filter { rule in
        rule.applies(toWeekday: weekday) && (rule.dates.isEmpty || rule.dates.contains { $0.contains(day, date) })
      })
  }

  /// Days among the next `count`, since 1970-01-01, whose hours differ from those of an ordinary week.
  public func exceptions(from now: Instant, in zone: ZoneOffsets, among count: Int) -> [Int] {
    guard hasDates else { return [] }
    let today = zone.localMinute(at: now).day
    let week = (0..<7).map { spans(onWeekday: $0) }
    return (today..<today + count).filter { spans(onDay: $0) != week[Self.weekday(ofDay: $0)] }
  }

  /// Whether it is open at a moment and until when. A time that a zone skips is the moment after the gap, of two the first.
  public func state(at now: Instant, in zone: ZoneOffsets) -> State {
    if isAlwaysOpen { return .alwaysOpen }
    let today = zone.localMinute(at: now).day
    let last = today + (hasDates ? Self.maxLook : Self.weekLook)
    var openUntil: Instant?
    // What began yesterday may last until today. Later days' spans begin later.
    for day in today - 1...last {
      for span in spans(onDay: day) {
        let opens = zone.instant(of: LocalMinute(day: day, minute: span.opens))
        let closes = zone.instant(of: LocalMinute(day: day, minute: span.closes))
        if let end = openUntil {
          guard opens <= end else { return State(isOpen: true, nextChange: end) }
          openUntil = max(end, closes)
        } else if opens > now {
          return State(isOpen: false, nextChange: opens)
        } else if closes > now {
          openUntil = closes
        }
      }
    }
    guard let end = openUntil else { return State(isOpen: false, nextChange: nil) }
    return State(isOpen: true, nextChange: zone.localMinute(at: end).day > last ? nil : end)
  }

  /// A later rule takes the place of the earlier ones, unless it adds to them; a day off is off.
  private static func spans(_ applying: [Rule]) -> [Span] {
    var spans: [Span] = []
    for rule in applying { spans = rule.adds && !rule.spans.isEmpty ? spans + rule.spans : rule.spans }
    return spans.count < 2 ? spans : spans.sorted { ($0.opens, $0.closes) < ($1.opens, $1.closes) }
  }

  /// 0 for Monday; 1970-01-01 was a Thursday.
  public static func weekday(ofDay day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }
}
