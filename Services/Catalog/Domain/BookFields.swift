/// What an owner enters for a book, apart from its ISBN.
public struct BookFields: Sendable, Equatable {
  /// A book with more authors is refused.
  public static let maxAuthors = 20
  /// Years that a book may be from; there is no year 0.
  public static let years: ClosedRange<Int32> = -9_999...9_999

  /// As on the title page.
  public var title: Title
  /// 1 to 20, in order.
  public var authors: [AuthorName]
  /// The owner's description of the copy.
  public var description: BookDescription
  /// When the edition was published; `nil` if unknown.
  public var year: Int32?
  /// The edition's language; `nil` if unknown.
  public var language: LanguageName?

  public init(
    title: Title, authors: [AuthorName], description: BookDescription, year: Int32?, language: LanguageName?
  ) {
    self.title = title
    self.authors = authors
    self.description = description
    self.year = year
    self.language = language
  }

  /// The text that a search looks at, together with the ISBN.
  ///
  /// - Parameter titles: those of the records of this ISBN.
  public func searchText(_ isbn: ISBN, recordedAs titles: [String]) -> SearchText {
    SearchText(
      title: title.text, recorded: titles, authors: authors.map(\.text), isbn: isbn, description: description.text)
  }
}
