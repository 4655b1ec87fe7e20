/// What of a name tells exercises apart.
struct ExerciseKey: Hashable {
  /// What the weight is, or what else there is to hold on to.
  enum Tool: Hashable {
    case ball, band, barbell, body, cable, dumbbell, curlBar, kettlebell, machine, medicineBall, roller, smith, straps

    /// Equipment that a record may name; furniture says nothing about the movement.
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

  /// All words but the tool's.
  let words: Set<String>
  /// The words that matter: without those that go without saying beside another.
  let core: Set<String>
  /// `nil` where nobody says it, or several are named.
  let tool: Tool?
  /// Whether the name says it, and not only the record.
  let isToolNamed: Bool

  init(_ name: String, _ equipment: [Equipment]) {
    let all = ExerciseWords.of(name)
    let named = Set(all.compactMap { Self.tools[$0] })
    let rest = Set(all.filter { Self.tools[$0] == nil })
    words = rest.isEmpty ? Set(all) : rest
    core = Self.core(of: words)
    isToolNamed = !named.isEmpty
    if named.isEmpty {
      let tools = Set(equipment.compactMap { Tool($0) })
      // Who names a weight and the body means the weight.
      let weights = tools.subtracting([.body])
      tool = weights.isEmpty ? tools.first : weights.count == 1 ? weights.first : nil
    } else {
      tool = named.contains(.smith) ? .smith : named.count == 1 ? named.first : nil
    }
  }

  private static func core(of words: Set<String>) -> Set<String> {
    var core = words.subtracting(["two", "flat", "stance"])
    for (word, implied) in implied where words.contains(word) {
      // Machines for leg curls differ in just that.
      if word == "curl", words.contains("leg") { continue }
      core.subtract(implied)
    }
    if core.count > 2, core.contains("extension") || core.contains("hammer") { core.remove("rope") }
    return core.isEmpty ? words : core
  }

  private static let tools: [String: Tool] = [
    "ball": .ball, "band": .band, "barbell": .barbell, "body": .body, "cable": .cable, "dumbbell": .dumbbell,
    "ez": .curlBar, "kettlebell": .kettlebell, "machine": .machine, "medicineball": .medicineBall, "smith": .smith,
    "trx": .straps,
  ]

  /// What goes without saying beside a word.
  private static let implied: KeyValuePairs<String, Set<String>> = [
    "curl": ["biceps", "standing"], "pushdown": ["triceps"], "kickback": ["triceps"], "pulldown": ["lat", "front"],
    "skullcrusher": ["lying", "triceps"], "shrug": ["shoulder"], "plank": ["front", "forearm"], "fly": ["chest"],
    "woodchop": ["standing"], "extension": ["standing", "shoulder"], "rotation": ["shoulder"],
    "adduction": ["standing"], "row": ["standing", "handle", "bench", "supported", "chest"], "press": ["standing"],
    "raise": ["standing"], "lunge": ["standing"], "preacher": ["standing"], "smr": ["tract"],
  ]
}
