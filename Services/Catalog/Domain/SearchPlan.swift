/// How a search is executed so that it takes about as long among a million books as among a thousand ([CA-25]).
public enum SearchPlan: Sendable, Equatable {
  /// Finds the books with the rarer keywords by the index, filters them by the others, and ranks them.
  ///
  /// - rare: a `tsquery` of the keywords that the index is searched for.
  case ranked(rare: String)
  /// Every keyword is so common that the newest books are filtered until there are enough.
  case newest

  /// With fewer books for a keyword, all are found and ranked.
  private static let commonFrom = 20_000.0
  /// The share of all books that must have every keyword for the newest to be filtered: fifty books are read for one that is found.
  private static let frequentFrom = 0.02
  /// Filtering a book takes as long as reading so many entries of the index.
  private static let entriesForBook = 8.0
  /// Reading more index entries takes longer than a search should.
  private static let maxEntries = 100_000.0
  /// The assumed number of books with a word that has no statistics.
  private static let fewBooks = 100.0

  /// - Parameter frequencies: how common words are; an estimate suffices, as the result does not depend on it.
  public init(for query: SearchQuery, given frequencies: WordFrequencies) {
    let books = query.keywords.map { frequencies.books(with: $0) }
    // Assumes that keywords are independent of each other.
    let share = query.keywords.reduce(1) { $0 * frequencies.share(of: $1) }
    if share >= Self.frequentFrom, books.allSatisfy({ $0 >= Self.commonFrom }) {
      self = .newest
      return
    }
    let rare = Self.lookedUp(query.keywords, books, frequencies)
    self = .ranked(rare: SearchQuery.conjunction(of: rare))
  }

  /// The rarest keyword, and others for which the index is faster than filtering the books that remain.
  private static func lookedUp(
    _ keywords: [SearchQuery.Keyword], _ books: [Double], _ frequencies: WordFrequencies
  ) -> [SearchQuery.Keyword] {
    var (chosen, left) = (Set<Int>(), Double.infinity)
    for place in keywords.indices.sorted(by: { (books[$0], $0) < (books[$1], $1) }) {
      guard chosen.isEmpty || books[place] < min(entriesForBook * left, maxEntries) else { break }
      left = max(fewBooks, chosen.isEmpty ? books[place] : left * frequencies.share(of: keywords[place]))
      chosen.insert(place)
    }
    return keywords.indices.filter { chosen.contains($0) }.map { keywords[$0] }
  }
}
