/// How a search is done so that it takes about as long among a million books as among a thousand ([CA-25]).
public enum SearchPlan: Sendable, Equatable {
  /// The books with the rarer keywords are found by the index, looked through for the others, and ranked.
  ///
  /// - rare: a `tsquery` of the keywords that are looked up.
  case ranked(rare: String)
  /// Every keyword is so common that the newest books need only be looked through until there are enough.
  case newest

  /// A keyword in so many books is not looked up in the index: to read its list takes longer than to look through what the others leave.
  private static let commonFrom = 20_000.0
  /// The part of all books that must have every keyword for the newest to be looked through: fifty books for one that is found.
  private static let frequentFrom = 0.02

  /// - Parameter frequencies: how common words are; a guess will do, for what is found does not depend on it.
  public init(for query: SearchQuery, given frequencies: WordFrequencies) {
    let rare = query.keywords.filter { frequencies.books(with: $0) < Self.commonFrom }
    guard rare.isEmpty else {
      self = .ranked(rare: SearchQuery.conjunction(of: rare))
      return
    }
    // As if the one had nothing to do with the other.
    let share = query.keywords.reduce(1) { $0 * frequencies.share(of: $1) }
    self = share >= Self.frequentFrom ? .newest : .ranked(rare: query.query)
  }
}
