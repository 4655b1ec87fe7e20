/// An exercise, merged from the records of all collections ([CA-10]).
public struct MergedExercise: Sendable, Equatable {
  /// The records, in the order of their collections and ids.
  public let records: [ExerciseRecord]

  /// - Parameter records: at least one, in any order.
  public init(_ records: [ExerciseRecord]) {
    precondition(!records.isEmpty, "an exercise is made of something")
    self.records = records.sorted { ($0.collection.place, $0.sourceID) < ($1.collection.place, $1.sourceID) }
  }

  /// As the first collection spells it.
  public var name: String { records[0].name }

  /// The other names, each once, compared without case and accents.
  public var aliases: [String] {
    var known: Set<[String]> = [Words.of(name)]
    let names = records.dropFirst().map(\.name) + records.flatMap(\.aliases)
    return Array(names.filter { known.insert(Words.of($0)).inserted }.prefix(ExerciseRecord.maxAliases))
  }

  /// `nil` if no record says it.
  public var category: ExerciseCategory? { first(\.category) }
  /// `nil` if no record says it.
  public var level: ExerciseLevel? { first(\.level) }
  /// Those of the first record that names some: collections disagree, and a mixture would match none of them.
  public var muscles: [Muscle] { first(\.muscles) }
  /// The secondary muscles of the first record that names some, without the primary ones.
  public var secondaryMuscles: [Muscle] { first(\.secondaryMuscles).filter { !muscles.contains($0) } }
  /// The muscle groups of the first record that has some.
  public var muscleGroups: [MuscleGroup] { first(\.groups) }
  /// Muscles and muscle groups that a search finds the exercise by.
  public var targets: [String] {
    let names = muscles.map(\.rawValue) + muscleGroups.map(\.rawValue)
    return names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }
  /// That of the first record that names some.
  public var equipment: [Equipment] { first(\.equipment) }
  /// Those of the first record that has some.
  public var instructions: [String] { first(\.instructions) }
  /// The collection that the instructions are from.
  public var instructionsCollection: ExerciseCollection? {
    records.first { !$0.instructions.isEmpty }?.collection
  }
  /// All images, each with the collection that it is from.
  public var images: [(reference: String, collection: ExerciseCollection)] {
    records.flatMap { record in record.images.map { ($0, record.collection) } }
  }

  /// The indexed words as a `tsvector`, and the names that misspelt keywords are compared with.
  public var search: (vector: String, names: String) {
    let own = ExerciseSearch.words(of: name)
    let others = aliases.flatMap(ExerciseSearch.words(of:))
    let unique = (own + others).enumerated().filter { (own + others).firstIndex(of: $0.element) == $0.offset }
    let weighted = own.map { ($0, "A") } + others.map { ($0, "B") }
    return (SearchVector.text(of: weighted), unique.map(\.element).joined(separator: " "))
  }

  /// The words of each name, by which the exercise is found first if nothing else was typed.
  public var nameKeys: [String] {
    var seen: Set<String> = []
    return ([name] + aliases).flatMap { ExerciseSearch.keys(of: Words.of($0)) }.filter { seen.insert($0).inserted }
  }

  private func first<Value>(_ path: KeyPath<ExerciseRecord, Value?>) -> Value? {
    records.lazy.compactMap { $0[keyPath: path] }.first
  }

  private func first<Value>(_ path: KeyPath<ExerciseRecord, [Value]>) -> [Value] {
    records.lazy.map { $0[keyPath: path] }.first { !$0.isEmpty } ?? []
  }
}

/// The words and queries of a search for exercises by name.
public enum ExerciseSearch {
  /// The words of a name as written, and in the common spelling: `pull-ups` is found by `pullup` too.
  static func words(of name: String) -> [String] {
    let written = Words.of(name)
    return written + ExerciseWords.of(name).filter { !written.contains($0) }
  }

  /// The words as written and in the common spelling, each as one text.
  static func keys(of words: [String]) -> [String] {
    let written = words.joined(separator: " ")
    return [written, ExerciseWords.of(written).joined(separator: " ")].filter { !$0.isEmpty }
  }

  /// The words of names that consist of the keywords, as written and in the common spelling.
  public static func keys(_ query: SearchQuery) -> [String] { query.meantTexts.flatMap(keys(of:)) }

  /// The words of names that consist of the keywords and of one tool: `biceps curl cable` for `bicep curl`.
  public static func keysWithTool(_ query: SearchQuery) -> [String] {
    let names = query.meantTexts.prefix(maxTextsWithTool).compactMap { keys(of: $0).last }
    return names.flatMap { key in ExerciseKey.toolWords.flatMap { ["\($0) \(key)", "\(key) \($0)"] } }
  }

  /// Names of more combinations of similar words are not looked up with tools.
  private static let maxTextsWithTool = 4

  /// As ``query(_:)``, for names in which the keywords are words, and not only the beginnings of words.
  public static func whole(_ query: SearchQuery) -> String {
    let written = query.keywords.map { "(\($0.whole) | '\(ExerciseWords.singular($0.word))')" }.joined(separator: " & ")
    let words = ExerciseWords.of(query.keywords.map(\.word).joined(separator: " "))
    return words.isEmpty ? written : "(\(written)) | (\(words.map { "'\($0)'" }.joined(separator: " & ")))"
  }

  /// A `tsquery` that names must match: every keyword, or every word of the common spelling, so that `pull ups` finds `Pullups`.
  public static func query(_ query: SearchQuery) -> String {
    let written = queries(query).joined(separator: " & ")
    let words = ExerciseWords.of(query.keywords.map(\.word).joined(separator: " "))
    guard !words.isEmpty else { return written }
    let spelled = words.map { $0.utf8.count < 3 ? "'\($0)'" : "'\($0)':*" }.joined(separator: " & ")
    return "(\(written)) | (\(spelled))"
  }

  /// A `tsquery` for each keyword; a keyword may be in the plural.
  public static func queries(_ query: SearchQuery) -> [String] {
    query.keywords.map { keyword in
      let singular = ExerciseWords.singular(keyword.word)
      return singular == keyword.word ? keyword.query : "(\(keyword.query) | '\(singular)')"
    }
  }
}
