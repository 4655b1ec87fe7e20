/// The searchable text of a gym ([CA-2]).
public struct GymSearchText: Sendable, Equatable {
  /// A `tsvector`: words of the names have weight A, of the address B.
  public let vector: String
  /// The words of the first name: the gym is found first if nothing else is typed.
  public let nameKey: String

  /// - Parameter names: the gym's name, then its other names.
  public init(names: [String], address: GymAddress) {
    let place = [address.street, address.houseNumber, address.postcode, address.city].flatMap(Words.of)
    // A postcode of several words is also typed without the spaces.
    let postcode = Words.of(address.postcode)
    let joined = postcode.count > 1 ? [postcode.joined()] : []
    nameKey = GymKeywords.key(of: names.first.map(Words.of) ?? [])
    let weighted = names.flatMap(Words.of).map { ($0, "A") } + (place + joined).map { ($0, "B") }
    vector = SearchVector.text(of: weighted)
  }

  /// A stored ``nameKey`` as ``Words`` spells its words today.
  public static func refolded(nameKey: String) -> String { GymKeywords.key(of: Words.of(nameKey)) }
}

/// Keywords of a search for gyms, as ``Words`` spells them ([CA-2]).
public struct GymKeywords: Sendable, Equatable {
  /// Each once, in the order in which they were typed; never empty.
  public let words: [String]
  /// For each word as it was typed, the repeated ones included, its index in ``words``.
  fileprivate let typed: [Int]

  /// - Throws: when there is no keyword, or more than a search for books may have.
  public init(_ text: String) throws(SearchQuery.Refusal) {
    let isTooLong =
      text.utf8.count > 4 * SearchQuery.maxTextLength || text.unicodeScalars.count > SearchQuery.maxTextLength
    guard !isTooLong else { throw .tooLong }
    var (words, typed) = ([String](), [Int]())
    for word in Words.of(text) {
      typed.append(words.firstIndex(of: word) ?? words.count)
      if typed.last == words.count { words.append(word) }
    }
    guard !words.isEmpty else { throw .empty }
    guard !SearchQuery.isTooMany(words) else { throw .tooLong }
    (self.words, self.typed) = (words, typed)
  }

  /// The longest key, so that an index can hold it; code points.
  private static let maxKeyLength = 200

  /// Words as one text.
  static func key(of words: [String]) -> String {
    String(String.UnicodeScalarView(words.joined(separator: " ").unicodeScalars.prefix(maxKeyLength)))
  }
}

/// A postcode or town that a user types, from which distances are measured ([CA-2]).
public struct GymPlace: Sendable, Equatable {
  /// As ``Words`` spells them; never empty.
  public let words: [String]

  /// `nil` for a text without words, and for one that is longer than an address may be.
  public init?(_ text: String) {
    guard text.unicodeScalars.count <= SearchQuery.maxTextLength else { return nil }
    words = Words.of(text)
    guard !words.isEmpty, !SearchQuery.isTooMany(words) else { return nil }
  }

  /// Whether a gym with this postcode and town is there; the spaces of a postcode may be left out.
  public func isThat(postcode: String, city: String) -> Bool {
    words == Words.of(city) || words.joined() == Words.of(postcode).joined()
  }
}

/// A query for gyms: each keyword stands for the indexed words that it may mean ([CA-2]).
public struct GymQuery: Sendable, Equatable {
  /// The notice of an answer without gyms ([C-7]).
  public static let emptyNotice = "Search did not return any results. Please try a different search term."

  /// Names of more combinations of similar words are not looked up.
  private static let maxNames = 32

  /// A `tsquery` for each keyword: at least one of its words must occur.
  public let queries: [String]
  /// A `tsquery` for each keyword as a word.
  public let words: [String]
  /// The words of names that consist of the keywords, or of the words that were typed instead of similar ones.
  public let keys: [String]

  /// - Parameters:
  ///   - words: for each keyword the words that it may mean; letters and digits only. `nil` if there are none for one of them.
  ///   - similar: for each keyword the words that are spelt like it; none if they are not searched for.
  public init?(_ words: [[String]], of keywords: GymKeywords, similar: [[String]] = []) {
    guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.words = keywords.words.map { "'\($0)'" }
    let meant =
      similar.isEmpty
      ? keywords.words.map { [$0] } : zip(keywords.words, similar).map { $1.isEmpty ? [$0] : $1 }
    keys = keywords.typed.reduce([[]]) { texts, place in
      Array(texts.flatMap { text in meant[place].map { text + [$0] } }.prefix(Self.maxNames))
    }.map(GymKeywords.key(of:))
    queries = words.map { "(" + $0.map { "'\($0)'" }.joined(separator: " | ") + ")" }
  }
}
