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
    /// A `tsquery` of the words that it stands for, without those that only begin with it.
    public let whole: String
    /// The terms of ``query``.
    let terms: [Term]
    /// The terms of ``whole``.
    var wholeTerms: [Term] { words.map { Term(word: $0, extent: .word) } }
    /// The words that it stands for: itself, and similar ones that were added.
    let words: [String]
    /// The words that may have been meant: the similar ones if there are some.
    fileprivate let meant: [String]
  }

  /// Longer texts are refused; code points.
  public static let maxTextLength = 400
  /// Texts with more keywords are refused.
  public static let maxKeywords = 20
  /// As ``maxKeywords``, with the characters and syllables of scripts that put no space between words: so many are a long title.
  static let maxUnspacedKeywords = 60
  /// Shorter keywords match only themselves, as too many words begin with them.
  private static let shortestBeginning = 3

  /// Titles of more combinations of similar words are not looked up.
  private static let maxTitles = 32

  /// Each once, in the order in which they were typed; never empty.
  public let keywords: [Keyword]
  /// For each word as it was typed, the repeated ones included, the index of its keyword.
  private let typed: [Int]

  /// Parses the keywords; an ISBN in any spelling is one keyword.
  public init(_ text: String) throws(Refusal) {
    guard text.utf8.count <= 4 * Self.maxTextLength, text.unicodeScalars.count <= Self.maxTextLength else {
      throw .tooLong
    }
    var (found, typed) = ([Keyword](), [Int]())
    for keyword in Self.keywords(in: text) {
      typed.append(found.firstIndex(of: keyword) ?? found.count)
      if typed.last == found.count { found.append(keyword) }
    }
    guard !found.isEmpty else { throw .empty }
    guard !Self.isTooMany(found.map(\.word)) else { throw .tooLong }
    self.init(found, typed: typed)
  }

  /// Whether a query may not have so many keywords.
  static func isTooMany(_ words: [String]) -> Bool {
    words.count > maxUnspacedKeywords || words.count { !Words.isUnspaced($0) } > maxKeywords
  }

  /// A `tsquery` that matches books with every keyword.
  public var query: String { keywords.map(\.query).joined(separator: " & ") }

  /// A `tsquery` that matches books in which every keyword is a word, and not only the beginning of one.
  public var whole: String { keywords.map(\.whole).joined(separator: " & ") }

  /// The keys of titles that consist of the keywords and nothing else; see ``TitleKey``.
  public var titleKeys: [String] { unique(meantTexts.map { TitleKey.of(words: $0) }) }

  /// A `tsquery` that matches titles in which the words follow each other as they were typed.
  public var titlePhrase: String { phrase(weight: "A") }

  /// A `tsquery` that matches authors whose names have the words in this order; `nil` for a single word.
  public var authorPhrase: String? { typed.count > 1 ? phrase(weight: "B") : nil }

  /// The words that may be an author's surname: only a single one is looked for as such.
  public var surnames: [String] { typed.count == 1 ? keywords[0].meant : [] }

  private init(_ keywords: [Keyword], typed: [Int]) { (self.keywords, self.typed) = (keywords, typed) }

  /// The texts that may have been meant, as words: one without similar words.
  var meantTexts: [[String]] {
    typed.map { keywords[$0].meant }.reduce([[]]) { texts, words in
      Array(texts.lazy.flatMap { text in words.lazy.map { text + [$0] } }.prefix(Self.maxTitles))
    }
  }

  private func phrase(weight: String) -> String {
    typed.map { place in
      "(\(keywords[place].meant.map { "'\($0)':\(weight)" }.joined(separator: " | ")))"
    }.joined(separator: " <-> ")
  }

  private func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// Adds to each keyword similarly spelt words of titles and authors.
  ///
  /// - Parameter words: for each keyword, as ``Words`` spells them.
  public func orLike(_ words: [[String]]) -> SearchQuery {
    SearchQuery(
      zip(keywords, words).map { keyword, words in
        let others = words.map { " | '\($0)':AB" }.joined()
        return Keyword(
          word: keyword.word, query: "(\(keyword.query)\(others))", whole: "(\(keyword.whole)\(others))",
          terms: keyword.terms + words.map { Term(word: $0, extent: .word) },
          words: keyword.words + words.filter { !keyword.words.contains($0) },
          meant: words.isEmpty ? keyword.meant : words)
      }, typed: typed)
  }

  private static func keywords(in text: String) -> [Keyword] {
    if let isbn = ISBN(complete: text) { return [keyword(isbn, as: text)] }
    return text.split(whereSeparator: \.isWhitespace).flatMap { part in
      if let isbn = ISBN(complete: String(part)) { return [keyword(isbn, as: String(part))] }
      if let digits = beginningOfISBN(part) { return [keyword(digits)] }
      return Words.of(String(part)).map { keyword($0) }
    }
  }

  /// The digits of a text such as `978-0-547`; `nil` for one that is not the beginning of an ISBN-13 with hyphens.
  private static func beginningOfISBN(_ text: Substring) -> String? {
    let digits = text.filter { $0 != "-" }
    guard text.contains("-"), digits.utf8.count > 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.hasPrefix("978") || digits.hasPrefix("979")
    else { return nil }
    return digits
  }

  /// - Parameter text: as it was typed. Ten digits that begin like an ISBN-13 may be its beginning: one of eleven has a right check digit.
  private static func keyword(_ isbn: ISBN, as text: String = "") -> Keyword {
    let isBeginning = text.utf8.count == 10 && (text.hasPrefix("978") || text.hasPrefix("979"))
    let word = Term(word: isbn.description, extent: .word)
    return Keyword(
      word: isbn.description,
      query: isBeginning ? "('\(isbn)' | '\(text.lowercased())':*)" : "'\(isbn)'", whole: "'\(isbn)'",
      terms: isBeginning ? [word, Term(word: text.lowercased(), extent: .beginning)] : [word],
      words: [isbn.description], meant: [isbn.description])
  }

  /// A word has letters and digits only, so that it needs no escaping.
  private static func keyword(_ word: String) -> Keyword {
    guard word.unicodeScalars.count >= shortestBeginning else {
      return Keyword(
        word: word, query: "'\(word)'", whole: "'\(word)'", terms: [Term(word: word, extent: .word)], words: [word],
        meant: [word])
    }
    // The word itself counts twice for the rank, one that only begins with it once.
    return Keyword(
      word: word, query: "('\(word)' | '\(word)':*)", whole: "'\(word)'",
      terms: [Term(word: word, extent: .beginning)], words: [word], meant: [word])
  }
}
