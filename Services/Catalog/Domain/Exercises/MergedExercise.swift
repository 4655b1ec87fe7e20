/// An exercise, made of everything that collections say about it ([CA-10]).
public struct MergedExercise: Sendable, Equatable {
  /// The records, in the order of their collections and ids.
  public let records: [ExerciseRecord]

  /// - Parameter records: at least one, in whatever order.
  public init(_ records: [ExerciseRecord]) {
    precondition(!records.isEmpty, "an exercise is made of something")
    self.records = records.sorted { ($0.collection.place, $0.sourceID) < ($1.collection.place, $1.sourceID) }
  }

  /// As the first collection spells it.
  public var name: String { records[0].name }

  /// The other names, each once, whatever its case and accents.
  public var aliases: [String] {
    var known: Set<[String]> = [Words.of(name)]
    let names = records.dropFirst().map(\.name) + records.flatMap(\.aliases)
    return Array(names.filter { known.insert(Words.of($0)).inserted }.prefix(ExerciseRecord.maxAliases))
  }

  /// `nil` if no record says it.
  public var category: ExerciseCategory? { first(\.category) }
  /// `nil` if no record says it.
  public var level: ExerciseLevel? { first(\.level) }
  /// Those of the first record that names some: collections disagree, and a mixture would be nobody's opinion.
  public var muscles: [Muscle] { first(\.muscles) }
  /// Those of the same kind that are trained besides.
  public var secondaryMuscles: [Muscle] { first(\.secondaryMuscles).filter { !muscles.contains($0) } }
  /// The groups of the muscles, or what stands in their place.
  public var muscleGroups: [MuscleGroup] { first(\.groups) }
  /// Muscles and groups, by which the exercise is found.
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
  /// All pictures, with the collection that each is from.
  public var images: [(reference: String, collection: ExerciseCollection)] {
    records.flatMap { record in record.images.map { ($0, record.collection) } }
  }

  /// The words that are searched, as a `tsvector`, and those that misspelt keywords are compared with.
  public var search: (vector: String, names: String) {
    let own = ExerciseSearch.words(of: name)
    let others = aliases.flatMap(ExerciseSearch.words(of:))
    let unique = (own + others).enumerated().filter { (own + others).firstIndex(of: $0.element) == $0.offset }
    let weighted = own.map { ($0, "A") } + others.map { ($0, "B") }
    let vector = zip(weighted, 1...).map { "\($0.0):\($1)\($0.1)" }.joined(separator: " ")
    return (vector, unique.map(\.element).joined(separator: " "))
  }

  private func first<Value>(_ path: KeyPath<ExerciseRecord, Value?>) -> Value? {
    records.lazy.compactMap { $0[keyPath: path] }.first
  }

  private func first<Value>(_ path: KeyPath<ExerciseRecord, [Value]>) -> [Value] {
    records.lazy.map { $0[keyPath: path] }.first { !$0.isEmpty } ?? []
  }
}

/// How exercises are searched by name.
public enum ExerciseSearch {
  /// The words of a name as it is written, and in the spelling that all names have: `pull-ups` is found by `pullup` too.
  static func words(of name: String) -> [String] {
    let written = Words.of(name)
    return written + ExerciseWords.of(name).filter { !written.contains($0) }
  }

  /// A `tsquery` that names must fit: every keyword, or every word of the spelling that all names have, so that `pull ups` finds `Pullups`.
  public static func query(_ query: SearchQuery) -> String {
    let written = queries(query).joined(separator: " & ")
    let words = ExerciseWords.of(query.keywords.map(\.word).joined(separator: " "))
    guard !words.isEmpty else { return written }
    let spelled = words.map { $0.utf8.count < 3 ? "'\($0)'" : "'\($0)':*" }.joined(separator: " & ")
    return "(\(written)) | (\(spelled))"
  }

  /// `tsquery`s of the keywords one by one: a keyword may be in the plural.
  public static func queries(_ query: SearchQuery) -> [String] {
    query.keywords.map { keyword in
      let singular = ExerciseWords.singular(keyword.word)
      return singular == keyword.word ? keyword.query : "(\(keyword.query) | '\(singular)')"
    }
  }
}
