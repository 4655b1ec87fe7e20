/// What of a gym is searched ([CA-2]).
public struct GymSearchText: Sendable, Equatable {
  /// PostgreSQL knows no later position of a word.
  private static let lastPosition = 16_383

  /// A `tsvector`: words of the names weigh A, of the address B.
  public let vector: String

  /// - Parameter names: the gym's name, then others that it is known by.
  public init(names: [String], address: GymAddress) {
    let place = [address.street, address.houseNumber, address.postcode, address.city].flatMap(Words.of)
    // A postcode of several words is also typed without the spaces.
    let postcode = Words.of(address.postcode)
    let joined = postcode.count > 1 ? [postcode.joined()] : []
    let weighted = names.flatMap(Words.of).map { ($0, "A") } + (place + joined).map { ($0, "B") }
    vector = zip(weighted, 1...).map { "\($0.0):\(min($1, Self.lastPosition))\($0.1)" }.joined(separator: " ")
  }
}

/// Keywords of a search for gyms, as ``Words`` spells them ([CA-2]).
public struct GymKeywords: Sendable, Equatable {
  /// Each once, in the order in which they were typed; never empty.
  public let words: [String]

  /// Reads the keywords, of which there may be as many as in a search for books.
  public init(_ text: String) throws(SearchQuery.Refusal) {
    let isTooLong =
      text.utf8.count > 4 * SearchQuery.maxTextLength || text.unicodeScalars.count > SearchQuery.maxTextLength
    guard !isTooLong else { throw .tooLong }
    var words: [String] = []
    for word in Words.of(text) where !words.contains(word) { words.append(word) }
    guard !words.isEmpty else { throw .empty }
    guard words.count <= SearchQuery.maxKeywords else { throw .tooLong }
    self.words = words
  }
}

/// How keywords of a search for gyms become a query: each stands for the words that are there and may be meant ([CA-2]).
public struct GymQuery: Sendable, Equatable {
  /// What is said when nothing was found ([C-7]).
  public static let emptyNotice = "Search did not return any results. Please try a different search term."

  /// A `tsquery` for each keyword: one of its words at least must occur.
  public let queries: [String]

  /// - Parameter words: for each keyword the words that it may mean; letters and digits only. `nil` when one may mean nothing.
  public init?(_ words: [[String]]) {
    guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty }) else { return nil }
    queries = words.map { "(" + $0.map { "'\($0)'" }.joined(separator: " | ") + ")" }
  }
}
