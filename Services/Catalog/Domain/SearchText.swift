/// The searchable text of a book, in PostgreSQL's formats.
public struct SearchText: Sendable, Equatable {
  /// A `tsvector`: words of the titles and the ISBN have weight A, of the authors B, of the description D.
  public let vector: String
  /// The words of titles and authors, separated by spaces; misspelt keywords are compared with them.
  public let names: String
  /// What the book is found by first if exactly its title is typed; see ``TitleKey``.
  public let titleKey: String
  /// The keys of the titles that its records have beside that.
  public let otherTitleKeys: [String]
  /// The last word of the first author's name; empty without one.
  public let surname: String

  /// More of a book's titles are not searched.
  private static let maxOtherTitles = 10

  /// - Parameters:
  ///   - recorded: the titles of the book's records, among them the original one; they count if `title` fits one of them ([CA-21]).
  ///   - description: empty for a book without one.
  public init(title: String, recorded: [String], authors: [String], isbn: ISBN, description: String) {
    let (titleWords, authorWords) = (Words.of(title), authors.flatMap(Words.of))
    titleKey = TitleKey.of(title)
    let others = TitleComparison.fits(title, anyOf: recorded) ? Self.titles(recorded, but: titleKey) : []
    otherTitleKeys = others.map(TitleKey.of)
    // With the articles, which the keys do not have.
    let otherWords = others.flatMap { Words.of(TitleKey.withoutSeries($0)) }
    let numbers = [isbn.description, isbn.isbn10?.lowercased()].compactMap { $0 }
    let weighted =
      (titleWords + numbers + otherWords).map { ($0, "A") } + authorWords.map { ($0, "B") }
      + Words.of(description).map { ($0, "D") }
    vector = SearchVector.text(of: weighted)
    names = (titleWords + otherWords + authorWords).joined(separator: " ")
    surname = Self.surname(of: authors)
  }

  private static func titles(_ titles: [String], but own: String) -> [String] {
    var seen: Set<String> = [own, ""]
    return Array(titles.filter { seen.insert(TitleKey.of($0)).inserted }.prefix(maxOtherTitles))
  }

  /// ``surname`` of a book's authors.
  public static func surname(of authors: [String]) -> String {
    authors.first.flatMap { Words.of($0).last } ?? ""
  }
}
