/// A user's gender, as in the profile ([ID-20]). The cases are in the order of the contract's enum.
public enum Gender: String, Sendable, Hashable, CaseIterable {
  case male = "MALE"
  case female = "FEMALE"
  case other = "OTHER"
}

/// A level of experience ([ID-20]). The cases are in the order of the contract's enum, the lowest first.
public enum Level: String, Sendable, Hashable, CaseIterable {
  case novice = "NOVICE"
  case beginner = "BEGINNER"
  case intermediate = "INTERMEDIATE"
  case advanced = "ADVANCED"
  case expert = "EXPERT"

  /// Whether it counts as experienced ([MA-3]).
  public var isExperienced: Bool { self == .advanced || self == .expert }
}

/// What a session is about. The cases are in the order of the contract's enum.
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

/// An adjective of feedback ([MA-11]). The cases are in the order of the contract's enum.
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

extension CaseIterable where Self: Equatable {
  /// The place of the case, from 1: the number of the contract's value.
  public var ordinal: Int {
    var place = 1
    for value in Self.allCases {
      if value == self { return place }
      place += 1
    }
    preconditionFailure("a case is one of all cases")
  }
}

/// A set of genders, as it is stored.
public struct GenderSet: OptionSet, Sendable, Hashable {
  /// The sum of 1 for male, 2 for female and 4 for other.
  public let rawValue: Int16

  public init(rawValue: Int16) { self.rawValue = rawValue & 7 }

  public init(_ gender: Gender) { self.init(rawValue: 1 << Int16(gender.ordinal - 1)) }

  /// No preference.
  public static let any = GenderSet(rawValue: 7)

  /// The genders in it.
  public var genders: [Gender] { Gender.allCases.filter { contains(GenderSet($0)) } }
}

/// Focus, level and the owner's gender as one number, by which sessions are indexed.
public struct SessionKind: Sendable, Hashable {
  public let number: Int16

  public init(_ focus: Focus, _ level: Level, _ gender: Gender) {
    number = Int16(15 * focus.ordinal + 3 * level.ordinal + gender.ordinal)
  }

  /// The kinds of all combinations.
  public static func all(_ focuses: [Focus], _ levels: [Level], _ genders: [Gender]) -> [SessionKind] {
    focuses.flatMap { focus in
      levels.flatMap { level in genders.map { SessionKind(focus, level, $0) } }
    }
  }
}
