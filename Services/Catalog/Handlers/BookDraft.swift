import CatalogDomain
import CatalogOperations
import FieldMasks
import FieldViolations
import TandemCatalog
import VisibleText

extension BookDraft {
  /// A field that its owner may set.
  enum Field: String, MaskedField {
    case title
    case authors
    case description
    case year
    case language
  }

  /// Reads the fields of a new book and adds a violation for each invalid one ([CA-20]): only an edit needs a description.
  init(ofNew book: Book, _ bad: inout Violations) {
    let isBlank = BookDescription.isBlank(book.description)
    self.init(Set(Field.allCases).subtracting(isBlank ? [.description] : []), of: book, &bad)
  }

  /// Reads the `named` fields of `book` and adds a violation for each invalid one ([CA-23]).
  init(_ named: Set<Field>, of book: Book, _ bad: inout Violations) {
    self.init()
    for field in Field.allCases where named.contains(field) {
      let path = "book.\(field.rawValue)"
      switch field {
      case .title:
        title = Self.text(book.title, path, TitleWords.self, &bad)
      case .authors:
        authors = Self.authors(book.authors, path, &bad)
      case .description:
        description = Self.text(book.description, path, DescriptionWords.self, &bad)
      case .year:
        let isKnown = book.year != 0
        year = .some(isKnown ? book.year : nil)
        if isKnown, !BookFields.years.contains(book.year) {
          bad.add(path, "There are no books from this year", CatalogReason.yearInvalid)
        }
      case .language:
        let isGiven = !LanguageName.isBlank(book.language)
        language = .some(
          isGiven ? bad.require(path, LanguageName.read(book.language), CatalogReason.languageInvalid) : nil)
      }
    }
  }

  private static func authors(_ names: [String], _ path: String, _ bad: inout Violations) -> [AuthorName]? {
    let given = names.enumerated().filter { !AuthorName.isBlank($0.element) }
    guard !given.isEmpty else {
      bad.add(path, "The author is missing", CatalogReason.authorRequired)
      return nil
    }
    guard given.count <= BookFields.maxAuthors else {
      bad.add(path, "A book has at most \(BookFields.maxAuthors) authors", CatalogReason.authorInvalid)
      return nil
    }
    let authors = given.compactMap { index, name in
      bad.require("\(path)[\(index)]", AuthorName.read(name), CatalogReason.authorInvalid)
    }
    return authors.count == given.count ? authors : nil
  }

  private static func text<Words: RequiredWords>(
    _ typed: String, _ path: String, _ words: Words.Type, _ bad: inout Violations
  ) -> VisibleText<Words.Limit>? {
    guard !VisibleText<Words.Limit>.isBlank(typed) else {
      bad.add(path, words.missing, "\(words.name)_REQUIRED")
      return nil
    }
    return bad.require(path, VisibleText<Words.Limit>.read(typed), "\(words.name)_INVALID")
  }
}

/// The refusals of a required text.
private protocol RequiredWords {
  associatedtype Limit: TextLimit
  /// The text for a missing value.
  static var missing: String { get }
  /// The prefix of its reasons.
  static var name: String { get }
}

private enum TitleWords: RequiredWords {
  typealias Limit = TitleLimit
  static let missing = "The title is missing"
  static let name = "TITLE"
}

private enum DescriptionWords: RequiredWords {
  typealias Limit = DescriptionLimit
  static let missing = "The description cannot be empty"
  static let name = "DESCRIPTION"
}
