/// What of a book is searched, in PostgreSQL's own spelling.
public struct SearchText: Sendable, Equatable {
  /// A `tsvector`: words of the title and the ISBN weigh A, of the authors B, of the description D.
  public let vector: String
  /// The words of title and authors, with a space between them: what misspelt keywords are compared with.
  public let names: String

  /// PostgreSQL knows no later position of a word.
  private static let lastPosition = 16_383

  /// - Parameter description: empty for a book without one.
  public init(title: String, authors: [String], isbn: ISBN, description: String) {
    let (titleWords, authorWords) = (Words.of(title), authors.flatMap(Words.of))
    let numbers = [isbn.description, isbn.isbn10?.lowercased()].compactMap { $0 }
    let weighted =
      (titleWords + numbers).map { ($0, "A") } + authorWords.map { ($0, "B") }
      + Words.of(description).map { ($0, "D") }
    vector = zip(weighted, 1...).map { "\($0.0):\(min($1, Self.lastPosition))\($0.1)" }.joined(separator: " ")
    names = (titleWords + authorWords).joined(separator: " ")
  }
}
