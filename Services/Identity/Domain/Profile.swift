/// The gender in a profile ([ID-20]).
public enum Gender: String, Sendable, Hashable, CaseIterable {
  case male = "MALE"
  case female = "FEMALE"
  case other = "OTHER"
}

/// Training experience ([ID-20]), in ascending order.
public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
  case novice = "NOVICE"
  case beginner = "BEGINNER"
  case intermediate = "INTERMEDIATE"
  case advanced = "ADVANCED"
  case expert = "EXPERT"

  /// Whether the level is ADVANCED or above; the guide says the same to the user.
  public var isExperienced: Bool { self >= .advanced }

  /// A description that helps a user to choose a level.
  public var guide: String {
    switch self {
    case .novice: "You are new to training, or have trained for less than three months."
    case .beginner: "You have trained for three months to a year and know the basic movements."
    case .intermediate: "You have trained regularly for one to two years and follow a programme."
    case .advanced:
      "You have trained regularly for two to five years and plan your own training. "
        + "From this level on others see you as experienced."
    case .expert:
      "You have trained for more than five years, compete or coach. Others see you as experienced."
    }
  }

  public static func < (lower: Level, higher: Level) -> Bool { lower.order < higher.order }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A fixed list of choices in a profile.
public protocol ProfileOption: RawRepresentable, CaseIterable, Sendable, Hashable where RawValue == String {
  /// The text for users; the raw value is used in messages and in the database.
  var label: String { get }
}

extension ProfileOption {
  /// The chosen options in the list's order without duplicates, or `nil` when an id is unknown.
  public static func chosen(_ ids: [String]) -> [Self]? {
    let chosen = ids.compactMap { Self(rawValue: $0) }
    guard chosen.count == ids.count else { return nil }
    return Self.allCases.filter(chosen.contains)
  }
}

/// What a user likes to do together with others ([ID-20]).
public enum Interest: String, ProfileOption {
  case strengthTraining = "STRENGTH_TRAINING"
  case bodybuilding = "BODYBUILDING"
  case powerlifting = "POWERLIFTING"
  case weightlifting = "WEIGHTLIFTING"
  case calisthenics = "CALISTHENICS"
  case functionalTraining = "FUNCTIONAL_TRAINING"
  case running = "RUNNING"
  case cycling = "CYCLING"
  case swimming = "SWIMMING"
  case rowing = "ROWING"
  case hiking = "HIKING"
  case climbing = "CLIMBING"
  case yoga = "YOGA"
  case pilates = "PILATES"
  case martialArts = "MARTIAL_ARTS"
  case boxing = "BOXING"
  case dancing = "DANCING"
  case ballGames = "BALL_GAMES"
  case racketSports = "RACKET_SPORTS"
  case reading = "READING"

  public var label: String {
    switch self {
    case .strengthTraining: "Strength training"
    case .bodybuilding: "Bodybuilding"
    case .powerlifting: "Powerlifting"
    case .weightlifting: "Olympic weightlifting"
    case .calisthenics: "Calisthenics"
    case .functionalTraining: "Functional training"
    case .running: "Running"
    case .cycling: "Cycling"
    case .swimming: "Swimming"
    case .rowing: "Rowing"
    case .hiking: "Hiking"
    case .climbing: "Climbing"
    case .yoga: "Yoga"
    case .pilates: "Pilates"
    case .martialArts: "Martial arts"
    case .boxing: "Boxing"
    case .dancing: "Dancing"
    case .ballGames: "Ball games"
    case .racketSports: "Racket sports"
    case .reading: "Reading"
    }
  }
}

/// What a user is good at and can help others with ([ID-20]).
public enum Strength: String, ProfileOption {
  case chest = "CHEST"
  case back = "BACK"
  case shoulders = "SHOULDERS"
  case arms = "ARMS"
  case core = "CORE"
  case legs = "LEGS"
  case endurance = "ENDURANCE"
  case speed = "SPEED"
  case power = "POWER"
  case mobility = "MOBILITY"
  case balance = "BALANCE"
  case technique = "TECHNIQUE"
  case spotting = "SPOTTING"
  case programming = "PROGRAMMING"
  case nutrition = "NUTRITION"
  case motivation = "MOTIVATION"

  public var label: String {
    switch self {
    case .chest: "Chest"
    case .back: "Back"
    case .shoulders: "Shoulders"
    case .arms: "Arms"
    case .core: "Core"
    case .legs: "Legs"
    case .endurance: "Endurance"
    case .speed: "Speed"
    case .power: "Explosive power"
    case .mobility: "Mobility"
    case .balance: "Balance"
    case .technique: "Technique"
    case .spotting: "Spotting others"
    case .programming: "Planning programmes"
    case .nutrition: "Nutrition"
    case .motivation: "Motivating others"
    }
  }
}

/// The part of a profile that training partners are matched by ([ID-20]); everyone else does without.
public struct GymProfile: Sendable, Hashable {
  public var gender: Gender
  public var dateOfBirth: DateOfBirth
  public var level: Level
  public var interests: [Interest]
  public var strengths: [Strength]

  public init(
    gender: Gender, dateOfBirth: DateOfBirth, level: Level, interests: [Interest], strengths: [Strength]
  ) {
    self.gender = gender
    self.dateOfBirth = dateOfBirth
    self.level = level
    self.interests = interests
    self.strengths = strengths
  }
}
