public import VisibleText

/// A collection of exercises; if several have an exercise, the earliest decides its name.
public enum ExerciseCollection: String, Sendable, Hashable, CaseIterable {
  case freeExerciseDB = "free-exercise-db"
  case wger
  /// The operator's own.
  case tandem
  /// The samples that come with the suite.
  case samples

  /// Its position in the fixed order of matching, whatever was loaded first.
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

public enum ExerciseNameLimit: TextLimit {
  public static let name = "The name"
  /// Code points.
  public static let maxLength = 200
}

public enum InstructionLimit: TextLimit {
  public static let name = "The step"
  /// Code points.
  public static let maxLength = 4_000
}

public typealias ExerciseName = VisibleText<ExerciseNameLimit>
/// A step of instructions.
public typealias Instruction = VisibleText<InstructionLimit>

/// What one collection says about an exercise, in the catalog's terms.
public struct ExerciseRecord: Sendable, Equatable {
  /// Further aliases are dropped.
  public static let maxAliases = 20
  /// Further steps are dropped.
  public static let maxInstructions = 50
  /// Further images are dropped.
  public static let maxImages = 20

  public var collection: ExerciseCollection
  /// The collection's own id of it.
  public var sourceID: String
  /// As the collection spells it.
  public var name: String
  /// Other names.
  public var aliases: [String]
  /// `nil` if the record does not say.
  public var category: ExerciseCategory?
  /// `nil` if the record does not say.
  public var level: ExerciseLevel?
  /// The primary muscles; may be empty.
  public var muscles: [Muscle]
  /// Trained besides.
  public var secondaryMuscles: [Muscle]
  /// Set only if the record names no muscle.
  public var muscleGroups: [MuscleGroup]
  /// Empty if the record does not say.
  public var equipment: [Equipment]
  public var instructions: [String]
  /// The images' paths or addresses, as the collection has them.
  public var images: [String]
  /// The licence that it is published under; may be empty.
  public var license: String
  /// The author to name under the licence; may be empty.
  public var attribution: String

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

  /// The groups of its muscles, or `muscleGroups` if it names no muscle.
  public var groups: [MuscleGroup] {
    let named = Set(muscles.map(\.group))
    return MuscleGroup.allCases.filter((named.isEmpty ? Set(muscleGroups) : named).contains)
  }
}
