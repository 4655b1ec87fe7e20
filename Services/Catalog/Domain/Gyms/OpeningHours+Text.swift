import Identifiers

extension OpeningHours {
  /// Longer texts are not parsed; OpenStreetMap's have at most 255 characters.
  private static let maxTextLength = 1_020
  private static let maxRules = 60

  /// Reads the common forms of OpenStreetMap's `opening_hours`; `nil` for every other text, and for one that has only rules for public
  /// holidays.
  ///
  /// `24/7`; rules separated by `;`, or by `,` where they add to those before. A rule is dates (`Dec 25`, `Dec 24-26`, `Jun-Aug`,
  /// `2026 Dec 24-2027 Jan 02`), then weekdays (`Mo-Fr`, `Mo,We`, `PH`), then times (`08:00-12:00,13:00-20:00`, `22:00-06:00`,
  /// `08:00-24:00`, `20:00-26:00`), `24/7`, `open`, `off` or `closed`; dates or weekdays may be missing.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maxTextLength, let tokens = HoursToken.all(in: text) else { return nil }
    var reader = HoursReader(tokens)
    guard let rules = reader.rules(atMost: Self.maxRules), rules.contains(where: { !$0.isForPublicHolidaysOnly })
    else { return nil }
    self.rules = rules
  }
}

/// Parses rules from tokens.
private struct HoursReader {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = ["mo", "tu", "we", "th", "fr", "sa", "su"]
  /// The lengths of the months, in a leap year.
  private static let monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  /// `closes` may be written as a time of the next day up to this hour.
  private static let latestHour = 48

  private var rest: ArraySlice<HoursToken>

  init(_ tokens: [HoursToken]) { rest = tokens[...] }

  /// All rules; `nil` when there are none, too many, or the text does not parse.
  mutating func rules(atMost most: Int) -> [OpeningHours.Rule]? {
    var rules: [OpeningHours.Rule] = []
    var adds = false
    while !rest.isEmpty {
      if take(";") { continue }
      guard rules.count < most, var rule = rule() else { return nil }
      rule.adds = adds
      rules.append(rule)
      guard let next = rest.first else { break }
      guard next == .sign(";") || next == .sign(",") else { return nil }
      adds = next == .sign(",")
      rest.removeFirst()
    }
    return rules.isEmpty ? nil : rules
  }

  private mutating func rule() -> OpeningHours.Rule? {
    var rule = OpeningHours.Rule()
    if beginsDate {
      guard let dates = dates() else { return nil }
      rule.dates = dates
      _ = take(":")
    }
    if beginsWeekdays {
      guard weekdays(&rule) else { return nil }
      _ = take(":")
    }
    switch rest.first {
    case .name("off"), .name("closed"): rest.removeFirst()
    case .name("open"):
      rest.removeFirst()
      rule.spans = [.wholeDay]
    default:
      guard let spans = takeAlways() ? [.wholeDay] : times() else { return nil }
      rule.spans = spans
    }
    return rule
  }

  // MARK: Times

  private mutating func takeAlways() -> Bool {
    guard rest.starts(with: [.number(24, digits: 2), .sign("/"), .number(7, digits: 1)]) else { return false }
    rest = rest.dropFirst(3)
    return true
  }

  private mutating func times() -> [OpeningHours.Span]? {
    var spans: [OpeningHours.Span] = []
    repeat {
      guard let opens = time(), take("-"), var closes = time(), opens < LocalMinute.perDay else { return nil }
      if closes <= opens { closes += LocalMinute.perDay }
      guard closes - opens <= LocalMinute.perDay else { return nil }
      spans.append(OpeningHours.Span(opens: opens, closes: closes))
    } while takeComma(before: { if case .number(_, digits: 1...2) = $0 { true } else { false } })
    return spans
  }

  private mutating func time() -> Int? {
    guard case .number(let hours, digits: 1...2) = rest.first, rest.dropFirst().first == .sign(":"),
      case .number(let minutes, digits: 2) = rest.dropFirst(2).first, minutes < 60,
      hours * 60 + minutes <= Self.latestHour * 60
    else { return nil }
    rest = rest.dropFirst(3)
    return hours * 60 + minutes
  }

  // MARK: Weekdays

  private var beginsWeekdays: Bool { rest.first.map(Self.isWeekday) ?? false }

  private static func isWeekday(_ token: HoursToken) -> Bool {
    guard case .name(let name) = token else { return false }
    return name == "ph" || weekdays.contains(name)
  }

  private mutating func weekdays(_ rule: inout OpeningHours.Rule) -> Bool {
    repeat {
      if rest.first == .name("ph") {
        rest.removeFirst()
        rule.namesPublicHolidays = true
        continue
      }
      guard let first = takeWeekday() else { return false }
      var last = first
      if take("-") {
        guard let named = takeWeekday() else { return false }
        last = named
      }
      for step in 0...(last - first + 7) % 7 { rule.weekdays = (rule.weekdays ?? 0) | 1 << ((first + step) % 7) }
    } while takeComma(before: Self.isWeekday)
    return true
  }

  private mutating func takeWeekday() -> Int? {
    guard case .name(let name) = rest.first, let place = Self.weekdays.firstIndex(of: name) else { return nil }
    rest.removeFirst()
    return place
  }

  // MARK: Dates

  private var beginsDate: Bool { Self.isDate(rest) }

  private static func isDate(_ tokens: ArraySlice<HoursToken>) -> Bool {
    switch tokens.first {
    case .name(let name): months.contains(name)
    case .number(_, digits: 4): true
    default: false
    }
  }

  /// A date as written: a day or a month, of one year or of every year.
  private struct WrittenDate {
    var year: Int?
    let month: Int
    let day: Int?
  }

  private mutating func dates() -> [OpeningHours.Dates]? {
    var all: [OpeningHours.Dates] = []
    repeat {
      guard let first = takeWrittenDate(), let dates = range(from: first) else { return nil }
      all.append(dates)
      // `Dec 25,26`: another day of the same month.
      while first.day != nil, rest.first == .sign(","), let day = dayNumber(rest.dropFirst()) {
        rest = rest.dropFirst(2)
        let date = WrittenDate(year: first.year, month: first.month, day: day)
        guard let dates = Self.days(from: date, to: date) else { return nil }
        all.append(dates)
      }
    } while takeComma(where: Self.isDate)
    return all
  }

  private mutating func range(from first: WrittenDate) -> OpeningHours.Dates? {
    guard take("-") else { return Self.days(from: first, to: first) }
    if let day = dayNumber(rest), first.day != nil {
      rest.removeFirst()
      return Self.days(from: first, to: WrittenDate(year: first.year, month: first.month, day: day))
    }
    guard let last = takeWrittenDate(), (first.day == nil) == (last.day == nil) else { return nil }
    return Self.days(from: first, to: last)
  }

  /// Takes the tokens of a date from the text, `2026 Dec 25`, `Dec 25` or `Dec`; no clock is read.
  ///
  /// - Returns: `nil` if no month comes next; a year before it may have been taken.
  private mutating func takeWrittenDate() -> WrittenDate? {
    var year: Int?
    if case .number(let number, digits: 4) = rest.first {
      year = number
      rest.removeFirst()
    }
    guard case .name(let name) = rest.first, let place = Self.months.firstIndex(of: name) else { return nil }
    rest.removeFirst()
    let day = dayNumber(rest)
    if day != nil { rest.removeFirst() }
    return WrittenDate(year: year, month: place + 1, day: day)
  }

  /// A day number at the beginning of `tokens` that is not a time.
  private func dayNumber(_ tokens: ArraySlice<HoursToken>) -> Int? {
    guard case .number(let number, digits: 1...2) = tokens.first else { return nil }
    // In `Dec 25: 10:00-12:00` a day has a colon behind it as well; a time has two digits behind the colon, and a hyphen after those.
    let isTime =
      if tokens.dropFirst().first == .sign(":"), case .number(_, digits: 2) = tokens.dropFirst(2).first {
        tokens.dropFirst(3).first != .sign(":")
      } else { false }
    return isTime ? nil : number
  }

  private static func days(from first: WrittenDate, to last: WrittenDate) -> OpeningHours.Dates? {
    let (firstDay, lastDay) = (first.day ?? 1, last.day ?? monthLengths[last.month - 1])
    guard (1...monthLengths[first.month - 1]).contains(firstDay), (1...monthLengths[last.month - 1]).contains(lastDay)
    else { return nil }
    guard let firstYear = first.year else {
      guard last.year == nil else { return nil }
      return .yearly(first: first.month * 100 + firstDay, last: last.month * 100 + lastDay)
    }
    let wraps = (last.month, lastDay) < (first.month, firstDay)
    let lastYear = last.year ?? (wraps ? firstYear + 1 : firstYear)
    // The last day of February in a year that is not a leap year.
    let end =
      CivilDate(year: lastYear, month: last.month, day: lastDay)
      ?? (last.day == nil ? CivilDate(year: lastYear, month: last.month, day: 28) : nil)
    guard let begin = CivilDate(year: firstYear, month: first.month, day: firstDay), let end, begin <= end else {
      return nil
    }
    return .once(begin.daysSince1970...end.daysSince1970)
  }

  // MARK: Signs

  private mutating func take(_ sign: Character) -> Bool {
    guard rest.first == .sign(sign) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func takeComma(before isNext: (HoursToken) -> Bool) -> Bool {
    takeComma(where: { $0.first.map(isNext) ?? false })
  }

  private mutating func takeComma(where isNext: (ArraySlice<HoursToken>) -> Bool) -> Bool {
    guard rest.first == .sign(","), isNext(rest.dropFirst()) else { return false }
    rest.removeFirst()
    return true
  }
}
