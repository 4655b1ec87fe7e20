import Identifiers

/// A badge, awarded to a user at most once ([ID-64]).
public enum Badge: String, Sendable, Hashable, CaseIterable {
  case firstSession = "FIRST_SESSION"
  case tenSessions = "TEN_SESSIONS"
  case fiftySessions = "FIFTY_SESSIONS"
  case hundredSessions = "HUNDRED_SESSIONS"
  case sevenDayStreak = "SEVEN_DAY_STREAK"
  case firstBookLent = "FIRST_BOOK_LENT"
  case tenBooksLent = "TEN_BOOKS_LENT"
  case firstTracker = "FIRST_TRACKER"
  case hundredKilometres = "HUNDRED_KILOMETRES"

  /// The number of consecutive days in a streak.
  public static let streak = 7
  private static let hundredKilometresLong = Distance(wholeMetres: 100_000)

  /// The badges that a user has earned by training sessions.
  ///
  /// - Parameters:
  ///   - sessions: the number of all successful sessions.
  ///   - days: the days with at least one, in any order; must include those within ``streakWindow(around:)``.
  public static func earned(sessions: Int64, on days: [CivilDate]) -> [Badge] {
    sessionBadges.filter { sessions >= $0.needed }.map { $0.badge } + (hasStreak(days) ? [.sevenDayStreak] : [])
  }

  private static let sessionBadges: [(needed: Int64, badge: Badge)] = [
    (1, .firstSession), (10, .tenSessions), (50, .fiftySessions), (100, .hundredSessions),
  ]

  /// The badges that a user has earned by lending this many different books.
  public static func earned(books: Int64) -> [Badge] {
    (books >= 1 ? [.firstBookLent] : []) + (books >= 10 ? [.tenBooksLent] : [])
  }

  /// The badges that a user has earned by this distance within one calendar month.
  public static func earned(inOneMonth distance: Distance) -> [Badge] {
    distance >= hundredKilometresLong ? [.hundredKilometres] : []
  }

  /// The days that can be in one streak with `day`.
  public static func streakWindow(around day: CivilDate) -> ClosedRange<CivilDate> {
    let number = day.daysSince1970
    return CivilDate(daysSince1970: number - streak + 1)...CivilDate(daysSince1970: number + streak - 1)
  }

  private static func hasStreak(_ days: [CivilDate]) -> Bool {
    let numbers = Set(days.map(\.daysSince1970))
    return numbers.contains { last in (0..<streak).allSatisfy { numbers.contains(last - $0) } }
  }

  /// The name that users see.
  public var title: String {
    switch self {
    case .firstSession: "First session"
    case .tenSessions: "10 sessions"
    case .fiftySessions: "50 sessions"
    case .hundredSessions: "100 sessions"
    case .sevenDayStreak: "7-day streak"
    case .firstBookLent: "First book lent"
    case .tenBooksLent: "10 books lent"
    case .firstTracker: "First tracker"
    case .hundredKilometres: "100 km in a month"
    }
  }

  /// A sentence that says what the badge is awarded for.
  public var description: String {
    switch self {
    case .firstSession: "Trained together with a partner for the first time."
    case .tenSessions: "Trained together with partners 10 times."
    case .fiftySessions: "Trained together with partners 50 times."
    case .hundredSessions: "Trained together with partners 100 times."
    case .sevenDayStreak: "Trained together with partners on 7 days in a row."
    case .firstBookLent: "Lent somebody a book."
    case .tenBooksLent: "Lent 10 different books."
    case .firstTracker: "Brought in what a tracker knew."
    case .hundredKilometres: "Covered 100 km in one month."
    }
  }
}

/// A distance of activities.
public struct Distance: Sendable, Hashable, Comparable {
  /// 0 or more.
  public let millimetres: Int64

  /// The longest distance that is accepted for one activity: a million kilometres.
  public static let longest = Distance(wholeMetres: 1_000_000_000)

  /// A number of metres as a tracker reports it, rounded to millimetres; `nil` for a negative one, for NaN, or beyond
  /// ``longest``.
  public init?(metres: Double) {
    guard metres >= 0, metres <= Double(Self.longest.millimetres / 1_000) else { return nil }
    millimetres = Int64((metres * 1_000).rounded())
  }

  /// A stored sum of distances.
  public init(storedMillimetres: Int64) { millimetres = storedMillimetres }

  fileprivate init(wholeMetres: Int64) { millimetres = wholeMetres * 1_000 }

  /// Also used where the distance is unknown.
  public static let zero = Distance(wholeMetres: 0)

  public static func < (shorter: Distance, longer: Distance) -> Bool { shorter.millimetres < longer.millimetres }
}
