/// A user's gender, as in the profile ([ID-20]).
public enum Gender: String, Sendable, Hashable, CaseIterable {
  case male = "MALE"
  case female = "FEMALE"
  case other = "OTHER"
}

/// A level of experience ([ID-20]). The lowest is first.
public enum Level: String, Sendable, Hashable, CaseIterable {
  case novice = "NOVICE"
  case beginner = "BEGINNER"
  case intermediate = "INTERMEDIATE"
  case advanced = "ADVANCED"
  case expert = "EXPERT"

  /// Whether it counts as experienced ([MA-3]).
  public var isExperienced: Bool { self == .advanced || self == .expert }

  /// From 1, the lowest, to 5; a part of stored numbers.
  var rank: Int {
    switch self {
    case .novice: 1
    case .beginner: 2
    case .intermediate: 3
    case .advanced: 4
    case .expert: 5
    }
  }
}

/// What a session is about.
public enum Focus: String, Sendable, Hashable, CaseIterable {
  case strength = "STRENGTH"
  case hypertrophy = "HYPERTROPHY"
  case weightlifting = "WEIGHTLIFTING"
  case powerlifting = "POWERLIFTING"
  case calisthenics = "CALISTHENICS"
  case cardio = "CARDIO"
  case intervals = "INTERVALS"
  case functional = "FUNCTIONAL"
  case mobility = "MOBILITY"
  case yoga = "YOGA"
  case combat = "COMBAT"
  case climbing = "CLIMBING"
}

/// An adjective of feedback ([MA-11]).
public enum Adjective: String, Sendable, Hashable, CaseIterable {
  case punctual = "PUNCTUAL"
  case motivating = "MOTIVATING"
  case friendly = "FRIENDLY"
  case knowledgeable = "KNOWLEDGEABLE"
  case patient = "PATIENT"
  case focused = "FOCUSED"
  case considerate = "CONSIDERATE"
  case distracted = "DISTRACTED"
  case impatient = "IMPATIENT"
  case careless = "CARELESS"
}

/// A set of genders, as it is stored.
public struct GenderSet: OptionSet, Sendable, Hashable {
  /// The sum of 1 for male, 2 for female and 4 for other.
  public let rawValue: Int16

  public init(rawValue: Int16) { self.rawValue = rawValue & 7 }

  public init(_ gender: Gender) {
    switch gender {
    case .male: self.init(rawValue: 1)
    case .female: self.init(rawValue: 2)
    case .other: self.init(rawValue: 4)
    }
  }

  /// No preference.
  public static let any = GenderSet(rawValue: 7)

  /// The genders in it.
  public var genders: [Gender] { Gender.allCases.filter { contains(GenderSet($0)) } }
}

/// Focus, level and the owner's gender as one number, by which sessions are indexed.
public struct SessionKind: Sendable, Hashable {
  public let number: Int16

  public init(_ focus: Focus, _ level: Level, _ gender: Gender) {
    number = Self.part(focus) + Self.part(level) + Self.part(gender)
  }

  /// The kinds of all combinations.
  public static func all(_ focuses: [Focus], _ levels: [Level], _ genders: [Gender]) -> [SessionKind] {
    focuses.flatMap { focus in
      levels.flatMap { level in genders.map { SessionKind(focus, level, $0) } }
    }
  }

  // Stored numbers: a new case gets a new one, and none changes.

  private static func part(_ focus: Focus) -> Int16 {
    switch focus {
    case .strength: 15
    case .hypertrophy: 30
    case .weightlifting: 45
    case .powerlifting: 60
    case .calisthenics: 75
    case .cardio: 90
    case .intervals: 105
    case .functional: 120
    case .mobility: 135
    case .yoga: 150
    case .combat: 165
    case .climbing: 180
    }
  }

  private static func part(_ level: Level) -> Int16 { 3 * Int16(level.rank) }

  private static func part(_ gender: Gender) -> Int16 {
    switch gender {
    case .male: 1
    case .female: 2
    case .other: 3
    }
  }
}
