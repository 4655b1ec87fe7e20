/// The searchable text of a book, in PostgreSQL's formats.
public struct SearchText: Sendable, Equatable {
  /// A `tsvector`: words of the title and the ISBN have weight A, of the authors B, of the description D.
  public let vector: String
  /// The words of title and authors, separated by spaces; misspelt keywords are compared with them.
  public let names: String
  /// What the book is found by first if exactly its title is typed; see ``TitleKey``.
  public let titleKey: String
  /// The last word of the first author's name; empty without one.
  public let surname: String

  /// - Parameter description: empty for a book without one.
  public init(title: String, authors: [String], isbn: ISBN, description: String) {
    let (titleWords, authorWords) = (Words.of(title), authors.flatMap(Words.of))
    let numbers = [isbn.description, isbn.isbn10?.lowercased()].compactMap { $0 }
    let weighted =
      (titleWords + numbers).map { ($0, "A") } + authorWords.map { ($0, "B") }
      + Words.of(description).map { ($0, "D") }
    vector = SearchVector.text(of: weighted)
    names = (titleWords + authorWords).joined(separator: " ")
    titleKey = TitleKey.of(title)
    surname = Self.surname(of: authors)
  }

  /// ``surname`` of a book's authors.
  public static func surname(of authors: [String]) -> String {
    authors.first.flatMap { Words.of($0).last } ?? ""
  }
}
