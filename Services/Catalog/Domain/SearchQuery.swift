/// A user's search: keywords that must all occur ([CA-25]).
public struct SearchQuery: Sendable, Equatable {
  /// Why a text is not a query.
  public enum Refusal: Error, Sendable, Equatable {
    /// It has no keyword.
    case empty
    /// It has more characters or keywords than are allowed.
    case tooLong
  }

  /// What a keyword matches.
  struct Term: Sendable, Equatable {
    enum Extent: Sendable {
      /// The word itself.
      case word
      /// Every word that begins with it.
      case beginning
    }

    let word: String
    let extent: Extent
  }

  public struct Keyword: Sendable, Equatable {
    /// As ``Words`` spells it.
    public let word: String
    /// A `tsquery` of this keyword alone.
    public let query: String
    /// The terms of ``query``.
    let terms: [Term]
  }

  /// Longer texts are refused; code points.
  public static let maxTextLength = 400
  /// Texts with more keywords are refused.
  public static let maxKeywords = 20
  /// Shorter keywords match only themselves, as too many words begin with them.
  private static let shortestBeginning = 3

  /// Each once, in the order in which they were typed; never empty.
  public let keywords: [Keyword]

  /// Parses the keywords; an ISBN in any spelling is one keyword.
  public init(_ text: String) throws(Refusal) {
    guard text.utf8.count <= 4 * Self.maxTextLength, text.unicodeScalars.count <= Self.maxTextLength else {
      throw .tooLong
    }
    var found: [Keyword] = []
    for keyword in Self.keywords(in: text) where !found.contains(keyword) { found.append(keyword) }
    guard !found.isEmpty else { throw .empty }
    guard found.count <= Self.maxKeywords else { throw .tooLong }
    keywords = found
  }

  /// A `tsquery` that matches books with every keyword.
  public var query: String { Self.conjunction(of: keywords) }

  static func conjunction(of keywords: [Keyword]) -> String { keywords.map(\.query).joined(separator: " & ") }

  private init(_ keywords: [Keyword]) { self.keywords = keywords }

  /// Adds to each keyword similarly spelt words of titles and authors.
  ///
  /// - Parameter words: for each keyword, as ``Words`` spells them.
  public func orLike(_ words: [[String]]) -> SearchQuery {
    SearchQuery(
      zip(keywords, words).map { keyword, words in
        let others = words.map { " | '\($0)':AB" }.joined()
        return Keyword(
          word: keyword.word, query: "(\(keyword.query)\(others))",
          terms: keyword.terms + words.map { Term(word: $0, extent: .word) })
      })
  }

  private static func keywords(in text: String) -> [Keyword] {
    if let isbn = ISBN(complete: text) { return [keyword(isbn)] }
    return text.split(whereSeparator: \.isWhitespace).flatMap { part in
      if let isbn = ISBN(complete: String(part)) { return [keyword(isbn)] }
      return Words.of(String(part)).map { keyword($0) }
    }
  }

  private static func keyword(_ isbn: ISBN) -> Keyword {
    Keyword(word: isbn.description, query: "'\(isbn)'", terms: [Term(word: isbn.description, extent: .word)])
  }

  /// A word has letters and digits only, so that it needs no escaping.
  private static func keyword(_ word: String) -> Keyword {
    guard word.unicodeScalars.count >= shortestBeginning else {
      return Keyword(word: word, query: "'\(word)'", terms: [Term(word: word, extent: .word)])
    }
    // The word itself counts twice for the rank, one that only begins with it once.
    return Keyword(word: word, query: "('\(word)' | '\(word)':*)", terms: [Term(word: word, extent: .beginning)])
  }
}
