/// A part of the body that workouts are made for ([CA-12], [CA-13]).
public enum MuscleGroup: String, Sendable, Hashable, CaseIterable {
  case chest = "CHEST"
  case back = "BACK"
  case shoulders = "SHOULDERS"
  case arms = "ARMS"
  case core = "CORE"
  case legs = "LEGS"
  case neck = "NECK"

  public var muscles: [Muscle] { Muscle.allCases.filter { $0.group == self } }
}

/// A muscle, at the granularity of the collections of exercises.
public enum Muscle: String, Sendable, Hashable, CaseIterable {
  case abdominals = "ABDOMINALS"
  case abductors = "ABDUCTORS"
  case adductors = "ADDUCTORS"
  case biceps = "BICEPS"
  case calves = "CALVES"
  case chest = "CHEST"
  case forearms = "FOREARMS"
  case glutes = "GLUTES"
  case hamstrings = "HAMSTRINGS"
  case lats = "LATS"
  case lowerBack = "LOWER_BACK"
  case middleBack = "MIDDLE_BACK"
  case neck = "NECK"
  case obliques = "OBLIQUES"
  case quadriceps = "QUADRICEPS"
  case shoulders = "SHOULDERS"
  case traps = "TRAPS"
  case triceps = "TRICEPS"

  /// The part of the body that it belongs to.
  public var group: MuscleGroup {
    switch self {
    case .chest: .chest
    case .lats, .middleBack, .lowerBack, .traps: .back
    case .shoulders: .shoulders
    case .biceps, .triceps, .forearms: .arms
    case .abdominals, .obliques: .core
    case .abductors, .adductors, .calves, .glutes, .hamstrings, .quadriceps: .legs
    case .neck: .neck
    }
  }
}

/// The equipment that an exercise needs.
public enum Equipment: String, Sendable, Hashable, CaseIterable {
  case band = "BAND"
  case barbell = "BARBELL"
  case bench = "BENCH"
  case bodyOnly = "BODY_ONLY"
  case cable = "CABLE"
  case dumbbell = "DUMBBELL"
  case exerciseBall = "EXERCISE_BALL"
  case curlBar = "EZ_CURL_BAR"
  case foamRoller = "FOAM_ROLLER"
  case kettlebell = "KETTLEBELL"
  case machine = "MACHINE"
  case medicineBall = "MEDICINE_BALL"
  case other = "OTHER"
  case pullUpBar = "PULL_UP_BAR"
}

/// The experience that an exercise requires.
public enum ExerciseLevel: String, Sendable, Hashable, CaseIterable {
  case beginner = "BEGINNER"
  case intermediate = "INTERMEDIATE"
  case expert = "EXPERT"
}

public enum ExerciseCategory: String, Sendable, Hashable, CaseIterable {
  case cardio = "CARDIO"
  case olympicWeightlifting = "OLYMPIC_WEIGHTLIFTING"
  case plyometrics = "PLYOMETRICS"
  case powerlifting = "POWERLIFTING"
  case strength = "STRENGTH"
  case stretching = "STRETCHING"
  case strongman = "STRONGMAN"
}

/// A value of a fixed list, with its wire name and a label for users.
public protocol ListedWord: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

extension ListedWord {
  /// The label for users: `LOWER_BACK` is "Lower back".
  public var label: String {
    let words = rawValue.lowercased().split(separator: "_").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension MuscleGroup: ListedWord {}
extension Muscle: ListedWord {}
extension Equipment: ListedWord {}
extension ExerciseLevel: ListedWord {}
extension ExerciseCategory: ListedWord {}
