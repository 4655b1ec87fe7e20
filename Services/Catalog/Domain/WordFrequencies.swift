/// In how many books the most common words are, estimated from the database's statistics ([CA-25]).
public struct WordFrequencies: Sendable {
  /// Without statistics: no word counts as common.
  public static let unknown = WordFrequencies(books: 0, shares: [])

  /// How many books there are.
  private let books: Double
  /// In ascending order of the words' bytes.
  private let shares: [(word: [UInt8], share: Double)]

  /// - Parameters:
  ///   - books: how many there are.
  ///   - shares: the share of the books, 0 to 1, that have each word.
  public init(books: Double, shares: [(word: String, share: Double)]) {
    self.books = books
    self.shares = shares.map { (Array($0.word.utf8), $0.share) }.sorted { $0.word.lexicographicallyPrecedes($1.word) }
  }

  /// The upper estimate of the books with any of some terms; 0 if none is among the common ones.
  func books(with terms: [SearchQuery.Term]) -> Double {
    books * terms.reduce(0) { $0 + share(of: $1) }
  }

  /// The share of all books that have any of some terms.
  func share(of terms: [SearchQuery.Term]) -> Double {
    min(1, terms.reduce(0) { $0 + share(of: $1) })
  }

  private func share(of term: SearchQuery.Term) -> Double {
    let bytes = Array(term.word.utf8)
    let first = firstPlace(notBefore: bytes)
    switch term.extent {
    case .word:
      return first < shares.count && shares[first].word == bytes ? shares[first].share : 0
    case .beginning:
      return shares[first...].prefix { $0.word.starts(with: bytes) }.reduce(0) { $0 + $1.share }
    }
  }

  private func firstPlace(notBefore bytes: [UInt8]) -> Int {
    var (low, high) = (0, shares.count)
    while low < high {
      let middle = (low + high) / 2
      if shares[middle].word.lexicographicallyPrecedes(bytes) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
