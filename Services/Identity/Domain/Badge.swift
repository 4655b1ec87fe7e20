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
  case firstWorkout = "FIRST_WORKOUT"
  case fiftyWorkouts = "FIFTY_WORKOUTS"

  /// The number of consecutive days in a streak.
  public static let streak = 7
  private static let hundredKilometresLong = Distance(wholeMetres: 100_000)

  /// The badges that a user has earned by this many successful sessions.
  public static func earned(sessions: Int64) -> [Badge] {
    sessionBadges.filter { sessions >= $0.needed }.map { $0.badge }
  }

  /// The badges that a user has earned by training on these days, in whatever way and order. For a day that is new the
  /// days within ``streakReach`` of it are needed.
  public static func earned(trainingOn days: [CivilDate]) -> [Badge] { hasStreak(days) ? [.sevenDayStreak] : [] }

  /// The badges that a user has earned by logging this many workouts.
  public static func earned(workouts: Int64) -> [Badge] {
    (workouts >= 1 ? [.firstWorkout] : []) + (workouts >= 50 ? [.fiftyWorkouts] : [])
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

  /// How many days before and after a day can be in one streak with it.
  public static let streakReach = streak - 1

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
    case .firstWorkout: "First workout"
    case .fiftyWorkouts: "50 workouts"
    }
  }

  /// A sentence that says what the badge is awarded for.
  public var description: String {
    switch self {
    case .firstSession: "Trained together with a partner for the first time."
    case .tenSessions: "Trained together with partners 10 times."
    case .fiftySessions: "Trained together with partners 50 times."
    case .hundredSessions: "Trained together with partners 100 times."
    case .sevenDayStreak: "Trained on 7 days in a row."
    case .firstBookLent: "Lent somebody a book."
    case .tenBooksLent: "Lent 10 different books."
    case .firstTracker: "Brought in what a tracker knew."
    case .hundredKilometres: "Covered 100 km in one month."
    case .firstWorkout: "Logged a workout for the first time."
    case .fiftyWorkouts: "Logged 50 workouts."
    }
  }
}

/// A distance of activities.
public struct Distance: Sendable, Hashable, Comparable {
  /// 0 or more.
  public let millimetres: Int64

  /// The longest distance that is accepted for one activity: a million kilometres.
  public static let maxDistance = Distance(wholeMetres: 1_000_000_000)

  /// A number of metres as a tracker reports it, rounded to millimetres; `nil` for a negative one, for NaN, or beyond
  /// ``maxDistance``.
  public init?(metres: Double) {
    guard metres >= 0, metres <= Double(Self.maxDistance.millimetres / 1_000) else { return nil }
    millimetres = Int64((metres * 1_000).rounded())
  }

  /// A stored sum of distances.
  public init(storedMillimetres: Int64) { millimetres = storedMillimetres }

  fileprivate init(wholeMetres: Int64) { millimetres = wholeMetres * 1_000 }

  /// Also used where the distance is unknown.
  public static let zero = Distance(wholeMetres: 0)

  public static func < (shorter: Distance, longer: Distance) -> Bool { shorter.millimetres < longer.millimetres }
}
