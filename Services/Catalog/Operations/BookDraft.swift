import CatalogDomain
import CatalogStore

/// Checked values for some fields of a book; `nil` for a field that is not named.
package struct BookDraft: Sendable {
  package var title: Title?
  package var authors: [AuthorName]?
  package var description: BookDescription?
  package var year: Int32??
  package var language: LanguageName??

  package init() {}

  /// All fields; `nil` unless all were named and valid. Empty optional fields come from the edition's record ([CA-21]); a description that
  /// was not named is made of it, or of title and authors ([CA-20]).
  func whole(completedBy edition: StoredEdition?) -> BookFields? {
    guard let title, let authors, let year, let language else { return nil }
    let description =
      description
      ?? BookDescription(
        of: edition?.title ?? title.text, by: edition.map(\.authors) ?? [], or: authors.map(\.text),
        year: year ?? edition?.year)
    return BookFields(
      title: title, authors: authors, description: description, year: year ?? edition?.year,
      language: language ?? edition.flatMap { LanguageName($0.language) })
  }

  /// `fields` with the new values ([CA-23]).
  func applied(to fields: BookFields) -> BookFields {
    BookFields(
      title: title ?? fields.title, authors: authors ?? fields.authors, description: description ?? fields.description,
      year: year ?? fields.year, language: language ?? fields.language)
  }
}

extension StoredEdition {
  /// - Throws: `titleMismatch` for a title that is none of the record's ([CA-21]).
  func requireFitting(_ title: Title) throws(BookRefusal) {
    guard TitleComparison.fits(title.text, anyOf: titles) else { throw .titleMismatch(with: RecordedTitle(self.title)) }
  }
}
