import CatalogDomain
import SeededNumbers

/// What is searched in an evaluation.
package enum SearchSubject: String, Sendable, CaseIterable {
  /// By ISBN.
  case books
  /// By collection and source id: `wger:73`.
  case exercises
  /// By source id: `node/4476093992`.
  case gyms
}

/// A search whose right results are known.
package struct JudgedQuery: Sendable, Equatable {
  /// What is typed.
  package enum Kind: String, Sendable, CaseIterable {
    case exactTitle = "exact title"
    /// Of an exercise or a gym.
    case exactName = "exact name"
    /// A title or name of one word.
    case oneWord = "one word"
    /// In the plural, with a hyphen or without.
    case otherSpelling = "other spelling"
    /// A gym by its street, town or postcode, alone or with its name.
    case place
    case droppedLetter = "dropped letter"
    case swappedLetters = "swapped letters"
    case doubledLetter = "doubled letter"
    /// A whole name, or a surname.
    case author
    /// A surname with a slip, alone or with the first name.
    case misspeltAuthor = "misspelt author"
    /// Letters of first names, with or without dots and spaces.
    case initials
    /// Another title that the book's record has, as in the language or country in which it first appeared.
    case originalTitle = "original title"
    /// Two words of a title as one.
    case joinedWords = "joined words"
    /// A word of a title as two.
    case splitWord = "split word"
    case isbn = "ISBN"
    case partialISBN = "partial ISBN"
  }

  package let kind: Kind
  package let text: String
  /// Each is a right first result; see ``SearchSubject``.
  package let ids: Set<String>

  package init(_ kind: Kind, _ text: String, ids: Set<String>) {
    (self.kind, self.text, self.ids) = (kind, text, ids)
  }
}

/// A book of a file, for an evaluation.
package struct ShelvedBook: Sendable {
  package let isbn: ISBN
  package let fields: BookFields
  /// Those of its record.
  package let titles: [String]

  package init(isbn: ISBN, fields: BookFields, titles: [String]) {
    (self.isbn, self.fields, self.titles) = (isbn, fields, titles)
  }
}

/// A book as it is judged.
package struct JudgedBook: Sendable {
  package let isbn: ISBN
  package let title: String
  package let authors: [String]

  package init(isbn: ISBN, title: String, authors: [String]) {
    (self.isbn, self.title, self.authors) = (isbn, title, authors)
  }
}

/// Makes judged queries from books.
package struct JudgedQueries {
  /// Queries of each kind: two hundred of all.
  package static let ofKind = 25

  private let books: [JudgedBook]
  private var random: SplitMix
  private let byTitle: [String: Set<ISBN>]
  private let byAuthor: [String: Set<ISBN>]
  private let bySurname: [String: Set<ISBN>]

  /// The kinds of these queries.
  package static let kinds: [JudgedQuery.Kind] = [
    .exactTitle, .oneWord, .droppedLetter, .swappedLetters, .doubledLetter, .author, .isbn, .partialISBN,
  ]

  /// Queries for random books; the same books and seed give the same queries. Fewer where too few books are suitable.
  package static func made(from books: [JudgedBook], seed: UInt64) -> [JudgedQuery] {
    var maker = JudgedQueries(books, seed: seed)
    return kinds.flatMap { maker.queries($0) }
  }

  private init(_ books: [JudgedBook], seed: UInt64) {
    self.books = books
    random = SplitMix(seed: seed)
    func index(_ keys: (JudgedBook) -> [String]) -> [String: Set<ISBN>] {
      var index: [String: Set<ISBN>] = [:]
      for book in books { for key in keys(book) { index[key, default: []].insert(book.isbn) } }
      return index
    }
    byTitle = index { [TitleKey.of($0.title)] }
    byAuthor = index(\.authors)
    bySurname = index { $0.authors.compactMap { Words.of($0).last } }
  }

  private mutating func queries(_ kind: JudgedQuery.Kind) -> [JudgedQuery] {
    var queries: [JudgedQuery] = []
    for book in books.shuffled(using: &random) where queries.count < Self.ofKind {
      guard let (text, isbns) = query(kind, for: book), Self.isTaken(text) else { continue }
      queries.append(JudgedQuery(kind, text, ids: Set(isbns.map(\.description))))
    }
    return queries
  }

  /// Whether the service searches for it: some titles have no words, or too many.
  private static func isTaken(_ text: String) -> Bool {
    do throws(SearchQuery.Refusal) { _ = try SearchQuery(text) } catch { return false }
    return true
  }

  private mutating func query(_ kind: JudgedQuery.Kind, for book: JudgedBook) -> (String, Set<ISBN>)? {
    let key = TitleKey.of(book.title)
    let sameTitle = byTitle[key] ?? []
    switch kind {
    case .exactTitle: return (TitleKey.withoutSeries(book.title), sameTitle)
    case .oneWord: return key.contains(" ") ? nil : (TitleKey.withoutSeries(book.title), sameTitle)
    case .droppedLetter, .swappedLetters, .doubledLetter:
      guard let slip = slip(kind, in: Words.of(TitleKey.withoutSeries(book.title))) else { return nil }
      // Every other one with the author's name, which makes it one book.
      guard Bool.random(using: &random), let surname = book.authors.first.flatMap({ Words.of($0).last }) else {
        return (slip, sameTitle)
      }
      return ("\(slip) \(surname)", sameTitle.intersection(bySurname[surname] ?? []))
    case .author:
      guard let author = book.authors.first, let surname = Words.of(author).last else { return nil }
      return Bool.random(using: &random)
        ? (author, byAuthor[author] ?? []) : (surname, bySurname[surname] ?? [])
    case .isbn:
      let short = book.isbn.isbn10 ?? book.isbn.description
      return (Bool.random(using: &random) ? short : book.isbn.description, [book.isbn])
    case .partialISBN:
      let part = String(book.isbn.description.prefix(Int.random(in: 8...12, using: &random)))
      return (part, Set(books.lazy.map(\.isbn).filter { $0.description.hasPrefix(part) }))
    case .exactName, .otherSpelling, .place, .misspeltAuthor, .initials, .originalTitle, .joinedWords, .splitWord:
      return nil
    }
  }

  /// A title of up to six words with a slip in one that has at least five letters.
  private mutating func slip(_ kind: JudgedQuery.Kind, in words: [String]) -> String? {
    let long = words.indices.filter { words[$0].count >= 5 && words[$0].allSatisfy(\.isLetter) }
    guard words.count <= 6, let place = long.randomElement(using: &random) else { return nil }
    var (letters, words) = (Array(words[place]), words)
    let inner = Int.random(in: 1..<letters.count - 1, using: &random)
    switch kind {
    case .droppedLetter: letters.remove(at: inner)
    case .doubledLetter: letters.insert(letters[inner], at: inner)
    default:
      guard letters[inner] != letters[inner + 1] else { return nil }
      letters.swapAt(inner, inner + 1)
    }
    words[place] = String(letters)
    return words.joined(separator: " ")
  }
}
