/// A collection of exercises; earlier ones say how an exercise is called that several have.
public enum ExerciseCollection: String, Sendable, Hashable, CaseIterable {
  case freeExerciseDB = "free-exercise-db"
  case wger
  /// The samples that come with the suite.
  case tandem

  /// Its place among all: the order in which they are matched, whatever was loaded first.
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The limit of the name of an exercise.
public enum ExerciseNameLimit: TextLimit {
  /// Code points.
  public static let most = 200
}

/// The limit of a step of instructions.
public enum InstructionLimit: TextLimit {
  /// Code points.
  public static let most = 4_000
}

/// The name of an exercise.
public typealias ExerciseName = BoundedText<ExerciseNameLimit>
/// A step of instructions.
public typealias Instruction = BoundedText<InstructionLimit>

/// What one collection says about an exercise, in the catalog's own words.
public struct ExerciseRecord: Sendable, Equatable {
  /// More other names are left out.
  public static let maxAliases = 20
  /// More steps are left out.
  public static let maxInstructions = 50
  /// More pictures are left out.
  public static let maxImages = 20

  /// The collection that it is from.
  public var collection: ExerciseCollection
  /// What the collection calls it.
  public var sourceID: String
  /// As the collection spells it.
  public var name: String
  /// Other names.
  public var aliases: [String]
  /// `nil` if the record does not say.
  public var category: ExerciseCategory?
  /// `nil` if the record does not say.
  public var level: ExerciseLevel?
  /// Trained in the first place; may be empty.
  public var muscles: [Muscle]
  /// Trained besides.
  public var secondaryMuscles: [Muscle]
  /// Where the record names no muscle.
  public var muscleGroups: [MuscleGroup]
  /// Empty if the record does not say.
  public var equipment: [Equipment]
  /// Step by step.
  public var instructions: [String]
  /// Where pictures are, as the collection says it.
  public var images: [String]
  /// Under which licence it is published; may be empty.
  public var license: String
  /// Whom the licence wants to be named; may be empty.
  public var attribution: String

  /// Names the parts.
  public init(
    _ collection: ExerciseCollection, _ sourceID: String, name: String, aliases: [String] = [],
    category: ExerciseCategory? = nil, level: ExerciseLevel? = nil, muscles: [Muscle] = [],
    secondaryMuscles: [Muscle] = [], muscleGroups: [MuscleGroup] = [], equipment: [Equipment] = [],
    instructions: [String] = [], images: [String] = [], license: String = "", attribution: String = ""
  ) {
    self.collection = collection
    self.sourceID = sourceID
    self.name = name
    self.aliases = aliases
    self.category = category
    self.level = level
    self.muscles = muscles
    self.secondaryMuscles = secondaryMuscles
    self.muscleGroups = muscleGroups
    self.equipment = equipment
    self.instructions = instructions
    self.images = images
    self.license = license
    self.attribution = attribution
  }

  /// The groups of its muscles, or what stands in their place.
  public var groups: [MuscleGroup] {
    let named = Set(muscles.map(\.group))
    return MuscleGroup.allCases.filter((named.isEmpty ? Set(muscleGroups) : named).contains)
  }
}
