/// How a search is done so that it takes about as long among a million books as among a thousand ([CA-25]).
public enum SearchPlan: Sendable, Equatable {
  /// The books with the rarer keywords are found by the index, looked through for the others, and ranked.
  ///
  /// - rare: a `tsquery` of the keywords that are looked up.
  case ranked(rare: String)
  /// Every keyword is so common that the newest books need only be looked through until there are enough.
  case newest

  /// Of fewer books with a keyword the best are worth finding.
  private static let commonFrom = 20_000.0
  /// The part of all books that must have every keyword for the newest to be looked through: fifty books for one that is found.
  private static let frequentFrom = 0.02
  /// To look through a book takes as long as to read so many entries of the index.
  private static let entriesForBook = 8.0
  /// Reading more of them takes longer than a search should.
  private static let maxEntries = 100_000.0
  /// What nothing is known of is in so many books, perhaps.
  private static let fewBooks = 100.0

  /// - Parameter frequencies: how common words are; a guess will do, for what is found does not depend on it.
  public init(for query: SearchQuery, given frequencies: WordFrequencies) {
    let books = query.keywords.map { frequencies.books(with: $0) }
    // As if the one had nothing to do with the other.
    let share = query.keywords.reduce(1) { $0 * frequencies.share(of: $1) }
    if share >= Self.frequentFrom, books.allSatisfy({ $0 >= Self.commonFrom }) {
      self = .newest
      return
    }
    let rare = Self.lookedUp(query.keywords, books, frequencies)
    self = .ranked(rare: SearchQuery.conjunction(of: rare))
  }

  /// The rarest keyword, and others that are looked up sooner than the books which it leaves are looked through for them.
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
