/// Known words that are spelt like the keywords of a search ([CA-10], [CA-25]).
public struct SimilarWords: Sendable {
  /// A known word, and by how many letters it differs from a keyword.
  public struct Word: Sendable {
    let word: String
    let edits: Int32

    public init(_ word: String, edits: Int32) { (self.word, self.edits) = (word, edits) }
  }

  private let words: [[Word]]

  /// - Parameter found: each with the index of its keyword, in the order of the edits.
  public init(of query: SearchQuery, _ found: [(place: Int64, word: Word)]) {
    var words = query.keywords.map { _ in [Word]() }
    for (place, word) in found where words.indices.contains(Int(place)) { words[Int(place)].append(word) }
    self.words = words
  }

  /// For each keyword the words that are spelt most similarly; for ``SearchStep/wider`` all of them.
  public func words(in step: SearchStep) -> [[String]] {
    words.map { words in
      let closest = words.map(\.edits).min() ?? 0
      return words.filter { step == .wider || $0.edits == closest }.map(\.word)
    }
  }
}
