/// The part of a name that distinguishes exercises.
struct ExerciseKey: Hashable {
  /// The weight or the apparatus.
  enum Tool: Hashable {
    case ball, band, barbell, body, cable, dumbbell, curlBar, kettlebell, machine, medicineBall, roller, smith, straps

    /// The tool for a record's equipment; `nil` for furniture, which says nothing about the movement.
    init?(_ equipment: Equipment) {
      switch equipment {
      case .band: self = .band
      case .barbell: self = .barbell
      case .bodyOnly, .pullUpBar: self = .body
      case .cable: self = .cable
      case .dumbbell: self = .dumbbell
      case .exerciseBall: self = .ball
      case .curlBar: self = .curlBar
      case .foamRoller: self = .roller
      case .kettlebell: self = .kettlebell
      case .machine: self = .machine
      case .medicineBall: self = .medicineBall
      case .bench, .other: return nil
      }
    }
  }

  /// All words but the tool's; of several tools all: the movement with two is another one than with either.
  let words: Set<String>
  /// The words that matter: without those that another word implies.
  let core: Set<String>
  /// `nil` if neither the name nor the record has a tool, or several are named.
  let tool: Tool?
  /// Whether the tool is in the name, and not only in the record.
  let isToolNamed: Bool
  /// Whether neither the name nor the record has any tool.
  let hasNoTool: Bool

  init(_ name: String, _ equipment: [Equipment]) {
    let all = ExerciseWords.of(name)
    let named = Set(all.compactMap { Self.tools[$0] })
    let isCombination = named.count > 1 && !named.contains(.smith)
    let rest = Set(all.filter { Self.tools[$0] == nil || isCombination })
    words = rest.isEmpty ? Set(all) : rest
    core = Self.core(of: words)
    isToolNamed = !named.isEmpty
    hasNoTool = named.isEmpty && !equipment.contains { Tool($0) != nil }
    if named.isEmpty {
      let tools = Set(equipment.compactMap { Tool($0) })
      // A name with both a weight and the body means the weight.
      let weights = tools.subtracting([.body])
      tool = weights.isEmpty ? tools.first : weights.count == 1 ? weights.first : nil
    } else {
      tool = named.contains(.smith) ? .smith : named.count == 1 ? named.first : nil
    }
  }

  private static func core(of words: Set<String>) -> Set<String> {
    var core = words.subtracting(["two", "flat", "stance"])
    for (word, implied) in implied where words.contains(word) {
      // Machines for leg curls differ only in these words.
      if word == "curl", words.contains("leg") { continue }
      core.subtract(implied)
    }
    if core.count > 2, core.contains("extension") || core.contains("hammer") { core.remove("rope") }
    return core.isEmpty ? words : core
  }

  /// The words of tools in names.
  static var toolWords: [String] { tools.keys.sorted() }

  private static let tools: [String: Tool] = [
    "ball": .ball, "band": .band, "barbell": .barbell, "body": .body, "cable": .cable, "dumbbell": .dumbbell,
    "ez": .curlBar, "kettlebell": .kettlebell, "machine": .machine, "medicineball": .medicineBall, "smith": .smith,
    "trx": .straps,
  ]

  /// The words that a word implies.
  private static let implied: KeyValuePairs<String, Set<String>> = [
    "curl": ["biceps", "standing"], "pushdown": ["triceps"], "kickback": ["triceps"], "pulldown": ["lat", "front"],
    "skullcrusher": ["lying", "triceps"], "shrug": ["shoulder"], "plank": ["front", "forearm"], "fly": ["chest"],
    "woodchop": ["standing"], "extension": ["standing", "shoulder"], "rotation": ["shoulder"],
    "adduction": ["standing"], "row": ["standing", "handle", "bench", "supported", "chest"], "press": ["standing"],
    "raise": ["standing"], "lunge": ["standing"], "preacher": ["standing"], "smr": ["tract"],
  ]
}
