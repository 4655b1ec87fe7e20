/// How a search is executed so that it takes about as long among a million books as among a thousand ([CA-25]).
public enum SearchPlan: Sendable, Equatable {
  /// Finds the books with the rarer keywords by the index, filters them by the others, and ranks them: first those that have the keywords
  /// as words, then, if these are too few, those with words that begin with them.
  ///
  /// - rareWhole: a `tsquery` of the words that the index is searched for first.
  /// - rare: a `tsquery` of the keywords that it is searched for then.
  case ranked(rareWhole: String, rare: String)
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
    let terms = query.keywords.map(\.terms)
    // Assumes that keywords are independent of each other.
    let share = terms.reduce(1) { $0 * frequencies.share(of: $1) }
    if share >= Self.frequentFrom, terms.allSatisfy({ frequencies.books(with: $0) >= Self.commonFrom }) {
      self = .newest
      return
    }
    let rare = Self.lookedUp(terms, frequencies).map { query.keywords[$0].query }
    let rareWhole = Self.lookedUp(query.keywords.map(\.wholeTerms), frequencies).map { query.keywords[$0].whole }
    self = .ranked(rareWhole: rareWhole.joined(separator: " & "), rare: rare.joined(separator: " & "))
  }

  /// The indices of the rarest keyword, and of others for which the index is faster than filtering the books that remain.
  private static func lookedUp(_ terms: [[SearchQuery.Term]], _ frequencies: WordFrequencies) -> [Int] {
    let books = terms.map { frequencies.books(with: $0) }
    var (chosen, left) = (Set<Int>(), Double.infinity)
    for place in terms.indices.sorted(by: { (books[$0], $0) < (books[$1], $1) }) {
      guard chosen.isEmpty || books[place] < min(entriesForBook * left, maxEntries) else { break }
      left = max(fewBooks, chosen.isEmpty ? books[place] : left * frequencies.share(of: terms[place]))
      chosen.insert(place)
    }
    return terms.indices.filter { chosen.contains($0) }
  }
}
