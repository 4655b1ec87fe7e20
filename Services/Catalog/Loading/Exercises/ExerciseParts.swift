import CatalogDomain
import FoundationEssentials

/// The parts that all exercise readers share, validated and cut to the stored lengths.
enum ExerciseParts {
  private static let maxSourceIDLength = 100
  private static let maxReferenceLength = 500

  static func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws(ExerciseFlaw) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(json.utf8)) } catch {
      throw ExerciseFlaw(JSONShape.reason(for: error))
    }
  }

  static func sourceID(_ text: String?) throws(ExerciseFlaw) -> String {
    guard let text, !text.isEmpty, text.utf8.count <= maxSourceIDLength,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw ExerciseFlaw("it has no usable id") }
    return text
  }

  static func name(_ text: String?) throws(ExerciseFlaw) -> String {
    guard let name = text.flatMap({ ExerciseName(cleaning: $0) }), !Words.of(name.text).isEmpty else {
      throw ExerciseFlaw("it has no usable name")
    }
    return name.text
  }

  static func aliases(_ texts: [String]?) -> [String] {
    let usable = (texts ?? []).compactMap { ExerciseName(cleaning: $0)?.text }.filter { !Words.of($0).isEmpty }
    return unique(usable, most: ExerciseRecord.maxAliases)
  }

  static func instructions(_ texts: [String]) -> [String] {
    Array(texts.compactMap { Instruction(cleaning: $0)?.text }.prefix(ExerciseRecord.maxInstructions))
  }

  /// The usable references: not too long, and without invisible characters.
  static func images(_ references: [String]?) -> [String] {
    let usable = (references ?? []).filter { reference in
      !reference.isEmpty && reference.utf8.count <= maxReferenceLength
        && reference.unicodeScalars.allSatisfy { $0 > " " && $0 != "\u{7F}" }
    }
    return unique(usable, most: ExerciseRecord.maxImages)
  }

  /// A licence or an attribution as one line; empty if it is missing or invalid.
  static func line(_ text: String?) -> String { text.flatMap { ExerciseName(cleaning: $0)?.text } ?? "" }

  static func unique<Value: Hashable>(_ values: [Value], most: Int = .max) -> [Value] {
    var seen: Set<Value> = []
    return Array(values.filter { seen.insert($0).inserted }.prefix(most))
  }
}

/// Maps the terms of collections to the catalog's.
enum ExerciseVocabulary {
  static func muscles(_ names: [String]?) -> [Muscle] {
    ExerciseParts.unique((names ?? []).compactMap { muscles[$0.lowercased()] })
  }

  /// The muscles that a record of any format names and that the catalog does not know, each once.
  static func unknownMuscles(in record: String) throws(ExerciseFlaw) -> [String] {
    struct Muscles: Decodable {
      let primaryMuscles: [String]?
      let secondaryMuscles: [String]?
      let muscles: [String]?
      let musclesSecondary: [String]?

      enum CodingKeys: String, CodingKey {
        case primaryMuscles, secondaryMuscles, muscles
        case musclesSecondary = "muscles_secondary"
      }
    }
    let read = try ExerciseParts.decode(Muscles.self, record)
    let lists = [read.primaryMuscles, read.secondaryMuscles, read.muscles, read.musclesSecondary]
    return ExerciseParts.unique(lists.flatMap { $0 ?? [] }.filter { muscles[$0.lowercased()] == nil })
  }

  static func equipment(_ names: [String]?) -> [Equipment] {
    ExerciseParts.unique((names ?? []).compactMap { equipment[$0.lowercased()] })
  }

  static func category(_ name: String?) -> ExerciseCategory? { name.flatMap { categories[$0.lowercased()] } }

  static func level(_ name: String?) -> ExerciseLevel? { name.flatMap { ExerciseLevel(rawValue: $0.uppercased()) } }

  /// The categories of wger are parts of the body.
  static func group(_ name: String?) -> [MuscleGroup] {
    switch name?.lowercased() {
    case "abs": [.core]
    case "arms": [.arms]
    case "back": [.back]
    case "calves", "legs": [.legs]
    case "chest": [.chest]
    case "shoulders": [.shoulders]
    default: []
    }
  }

  private static let muscles: [String: Muscle] = {
    var table: [String: Muscle] = [
      "abs": .abdominals, "rectus abdominis": .abdominals, "obliquus externus abdominis": .obliques,
      "biceps brachii": .biceps, "brachialis": .biceps, "gastrocnemius": .calves, "soleus": .calves,
      "pectoralis major": .chest, "serratus anterior": .chest, "gluteus maximus": .glutes,
      "biceps femoris": .hamstrings, "latissimus dorsi": .lats, "quads": .quadriceps,
      "quadriceps femoris": .quadriceps, "anterior deltoid": .shoulders, "trapezius": .traps,
      "triceps brachii": .triceps,
    ]
    for muscle in Muscle.allCases { table[muscle.label.lowercased()] = muscle }
    return table
  }()

  private static let equipment: [String: Equipment] = {
    var table: [String: Equipment] = [
      "kettlebells": .kettlebell, "bands": .band, "resistance band": .band, "e-z curl bar": .curlBar,
      "sz-bar": .curlBar, "swiss ball": .exerciseBall, "foam roll": .foamRoller,
      "none (bodyweight exercise)": .bodyOnly, "gym mat": .bodyOnly, "pull-up bar": .pullUpBar,
      "incline bench": .bench,
    ]
    for piece in Equipment.allCases { table[piece.label.lowercased()] = piece }
    return table
  }()

  private static let categories: [String: ExerciseCategory] = Dictionary(
    uniqueKeysWithValues: ExerciseCategory.allCases.map { ($0.label.lowercased(), $0) })
}
