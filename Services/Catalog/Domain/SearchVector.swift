/// A `tsvector` that the service makes: words at their positions, each with a weight.
public enum SearchVector {
  /// The highest position that a word can have.
  private static let lastPosition = 16_383

  /// The text of a `tsvector` of words in this order, each with a weight from A to D.
  static func text(of weighted: [(word: String, weight: String)]) -> String {
    zip(weighted, 1...).map { "\($0.word):\(min($1, lastPosition))\($0.weight)" }.joined(separator: " ")
  }

  /// What a `tsvector` is as ``Words`` spells its words today, for rows whose text is not stored as it was loaded.
  ///
  /// - Parameters:
  ///   - words: in the order of their positions, as an earlier version spelled them.
  ///   - weights: of each word.
  public static func refolded(_ words: [String], weights: [String]) -> String {
    text(of: zip(words, weights).flatMap { word, weight in Words.of(word).map { (word: $0, weight: weight) } })
  }

  /// Words that are stored as one text, separated by spaces, as ``Words`` spells them today.
  public static func refolded(_ words: String) -> String { Words.of(words).joined(separator: " ") }
}
