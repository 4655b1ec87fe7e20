/// The words of an exercise's name in one spelling, for names from all collections: `Pull-ups (DB)` is `pullup dumbbell`.
enum ExerciseWords {
  /// The words of `name`, in order, without filler words.
  static func of(_ name: String) -> [String] {
    let spelled = Words.of(name).flatMap { spelling(of: $0) }.filter { !joining.contains($0) }
    return phrased(spelled).filter { !silent.contains($0) }
  }

  /// A word in the singular.
  static func singular(_ word: String) -> String {
    guard word.utf8.count > 2, word.hasSuffix("s"), !word.hasSuffix("ss"), !["triceps", "biceps"].contains(word) else {
      return word
    }
    return ["ches", "shes", "sses"].contains(where: word.hasSuffix) ? String(word.dropLast(2)) : String(word.dropLast())
  }

  private static func spelling(of word: String) -> [String] {
    let known = spellings[word] ?? word
    return known.split(separator: " ").flatMap { part -> [String] in
      let singular = singular(String(part))
      return (spellings[singular] ?? singular).split(separator: " ").map(String.init)
    }
  }

  /// Replaces phrases, such as words written apart, by their common spelling.
  private static func phrased(_ words: [String]) -> [String] {
    var text = " \(words.joined(separator: " ")) "
    for (phrase, meant) in phrases { text = text.replacing(" \(phrase) ", with: " \(meant) ") }
    return text.split(separator: " ").map(String.init)
  }

  /// Left out before phrases are looked for.
  private static let joining: Set<String> = [
    "the", "a", "an", "of", "with", "on", "to", "in", "for", "using", "from", "at", "your", "w", "and",
  ]

  /// Left out afterwards: words that are implied.
  private static let silent: Set<String> = [
    "by", "up", "s", "nb", "hd", "ol", "version", "grip", "medium", "attachment", "bar", "standard", "exercise",
    "style", "basic",
  ]

  /// Abbreviations, variant spellings and synonyms.
  private static let spellings: [String: String] = [
    "flye": "fly", "flies": "fly", "tricep": "triceps", "bicep": "biceps", "db": "dumbbell",
    "bb": "barbell", "kb": "kettlebell", "sz": "ez", "multipress": "smith", "mp": "smith", "hackenschmidt": "hack",
    "hackenschmitt": "hack", "benchpress": "bench press", "hammercurl": "hammer curl", "woodchopper": "woodchop",
    "rdl": "romanian deadlift", "ohp": "overhead press", "facepull": "face pull", "deadbug": "dead bug",
    "sitting": "seated", "laying": "lying", "supine": "lying", "unilateral": "one", "single": "one", "1": "one",
    "2": "two", "double": "two", "armed": "arm", "handed": "arm", "legged": "leg", "narrow": "close",
    "closed": "close", "delt": "deltoid", "abdominal": "ab", "swiss": "ball", "physioball": "ball",
    "military": "overhead", "pulley": "cable", "underhand": "reverse", "butterfly": "fly machine", "rowing": "row",
    "running": "run", "bike": "bicycling", "bicycle": "bicycling", "cycling": "bicycling", "posterior": "rear",
    "bodyweight": "body", "freehand": "body", "rise": "raise", "pec": "chest",
    "reversed": "reverse", "crosses": "crossover", "laterals": "lateral raise", "jumping": "jump",
    "skipping": "rope jump", "alternating": "alternate", "alternated": "alternate",
    "wheel": "roller", "scapula": "scapular",
  ]

  /// In the order of replacement: some build on earlier ones.
  private static let phrases: KeyValuePairs<String, String> = [
    "pull up": "pullup", "push up": "pushup", "press up": "pushup", "chin up": "chinup", "sit up": "situp",
    "step up": "stepup", "muscle up": "muscleup", "get up": "getup", "pull down": "pulldown",
    "push down": "pushdown", "dead lift": "deadlift", "cross over": "crossover", "wood chop": "woodchop",
    "skull crusher": "skullcrusher", "kick back": "kickback", "french press": "skullcrusher", "ez curl bar": "ez",
    "ez bar": "ez", "v bar": "vbar", "t bar": "tbar", "trap bar": "trapbar", "exercise ball": "ball",
    "stability ball": "ball", "medicine ball": "medicineball", "multi press": "smith", "smith machine": "smith",
    "back extension": "hyperextension", "good morning": "goodmorning", "stair master": "stairmaster",
    "reverse fly machine": "machine rear deltoid fly", "fly machine reverse": "machine rear deltoid fly",
    "chest deck rear": "machine rear", "chest deck": "fly machine", "reverse cable fly": "cable rear deltoid fly",
    "reverse machine fly": "machine rear deltoid fly", "reverse fly": "rear deltoid fly", "foam roller": "smr",
    "foam roll": "smr", "elliptical trainer": "elliptical", "row stationary": "row machine",
    "barbell row": "bent over barbell row", "side bridge": "side plank", "straight leg": "stiff", "stiff leg": "stiff",
    "side lateral raise": "lateral raise", "side lateral": "lateral raise", "side raise": "lateral raise",
    "jump rope": "rope jump", "bent over lateral raise": "rear deltoid raise",
    "bent over rear deltoid raise": "rear deltoid raise",
  ]
}
