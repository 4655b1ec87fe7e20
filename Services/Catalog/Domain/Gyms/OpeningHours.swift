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
    /// Every year, both ends included, each as month times 100 plus day; a range whose last is before its first goes over the end of the
    /// year.
    case yearly(first: Int, last: Int)

    func contains(_ day: Int, _ date: CivilDate) -> Bool {
      switch self {
      case .once(let days): return days.contains(day)
      case .yearly(let first, let last):
        let place = date.month * 100 + date.day
        return first <= last ? (first...last).contains(place) : place >= first || place <= last
      }
    }

    /// Whether it is long enough for its weeks to be ordinary ones.
    var isSeason: Bool {
      switch self {
      case .once(let days): return days.count >= Self.shortestSeason
      case .yearly(let first, let last):
        // A year that is not a leap year; a range over its end counts on into the next.
        let (begin, end) = (Self.dayOfYear(first), Self.dayOfYear(last))
        return (first <= last ? end - begin : end - begin + 365) + 1 >= Self.shortestSeason
      }
    }

    /// Four weeks.
    private static let shortestSeason = 28

    /// - Parameter place: month times 100 plus day.
    private static func dayOfYear(_ place: Int) -> Int {
      let date = CivilDate(year: 2001, month: place / 100, day: min(place % 100, 28))
      return (date?.daysSince1970 ?? 0) + max(0, place % 100 - 28)
    }
  }

  /// The hours of some days.
  struct Rule: Sendable, Equatable {
    /// Every date when it is empty.
    var dates: [Dates] = []
    /// A bit for each day of the week, Monday's the lowest; `nil` for every weekday.
    var weekdays: UInt8?
    /// Whether it is also, or only, for public holidays.
    var namesPublicHolidays = false
    /// Whether it adds hours to those of the rules before it, instead of replacing them.
    var adds = false
    /// Empty for days on which the gym is closed.
    var spans: [Span] = []

    /// Whether it applies to public holidays alone; which days those are is not known here.
    var isForPublicHolidaysOnly: Bool { namesPublicHolidays && weekdays == nil }

    func applies(toWeekday weekday: Int) -> Bool {
      weekdays.map { $0 & 1 << weekday != 0 } ?? !namesPublicHolidays
    }
  }

  /// Whether a gym is open at a moment, and until when.
  public struct State: Sendable, Equatable {
    public let isOpen: Bool
    /// When it opens or closes next; `nil` if not within a year.
    public let nextChange: Instant?

    public static let alwaysOpen = State(isOpen: true, nextChange: nil)
  }

  /// Days searched for a change: a year and a day, as yearly dates recur.
  private static let maxLook = 367
  /// Days searched when no rule has dates, as every week is the same.
  private static let weekLook = 9

  let rules: [Rule]

  /// Whether it has a rule for public holidays, which is not applied.
  public var hasPublicHolidayRule: Bool { rules.contains(where: \.namesPublicHolidays) }

  /// Whether it is open at any time, so that no time zone is needed.
  public var isAlwaysOpen: Bool { rules == [Rule(spans: [.wholeDay])] }

  private var hasDates: Bool { rules.contains { !$0.dates.isEmpty } }

  /// The spans of an ordinary week that begin on a weekday, 0 for Monday.
  ///
  /// - Parameter day: since 1970-01-01; the week is one of the season that the day is in. `nil` for one of no season.
  public func spans(onWeekday weekday: Int, inSeasonOf day: Int? = nil) -> [Span] {
    let date = day.map { CivilDate(daysSince1970: $0) }
    return Self.spans(
      rules.filter { rule in
        guard rule.applies(toWeekday: weekday) else { return false }
        guard let day, let date else { return rule.dates.isEmpty }
        return rule.dates.isEmpty || rule.dates.contains { $0.isSeason && $0.contains(day, date) }
      })
  }

  /// The day in a zone at a moment, since 1970-01-01; that of UTC without a zone.
  public static func day(at now: Instant, in zone: ZoneOffsets?) -> Int {
    zone?.localMinute(at: now).day ?? LocalMinute(sinceEpoch: Int((Double(now.wholeSeconds) / 60).rounded(.down))).day
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

  /// Days since 1970-01-01, among the next `count`, whose hours differ from those of an ordinary week of the present season.
  public func exceptions(from now: Instant, in zone: ZoneOffsets, among count: Int) -> [Int] {
    guard hasDates else { return [] }
    let today = zone.localMinute(at: now).day
    let week = (0..<7).map { spans(onWeekday: $0, inSeasonOf: today) }
    return (today..<today + count).filter { spans(onDay: $0) != week[Self.weekday(ofDay: $0)] }
  }

  /// Whether it is open at a moment, and until when. A local time that the zone skips is the moment after the gap; one that occurs twice is
  /// the first.
  public func state(at now: Instant, in zone: ZoneOffsets) -> State {
    if isAlwaysOpen { return .alwaysOpen }
    let today = zone.localMinute(at: now).day
    let last = today + (hasDates ? Self.maxLook : Self.weekLook)
    var openUntil: Instant?
    // A span that began yesterday may last until today. The spans of later days begin later.
    for day in today - 1...last {
      for span in spans(onDay: day) {
        let opens = zone.instant(of: LocalMinute(day: day, minute: span.opens))
        let closes = zone.instant(of: LocalMinute(day: day, minute: span.closes))
        // The clocks skip all of it.
        guard opens < closes else { continue }
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

  /// A later rule replaces the earlier ones, unless it adds to them; a closed day stays closed.
  private static func spans(_ applying: [Rule]) -> [Span] {
    var spans: [Span] = []
    for rule in applying { spans = rule.adds && !rule.spans.isEmpty ? spans + rule.spans : rule.spans }
    return spans.count < 2 ? spans : spans.sorted { ($0.opens, $0.closes) < ($1.opens, $1.closes) }
  }

  /// The weekday, 0 for Monday; 1970-01-01 was a Thursday.
  public static func weekday(ofDay day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }
}
