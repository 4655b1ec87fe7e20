import CatalogDomain
import Postgres

/// A bibliographic record.
package struct StoredEdition: Sendable, Equatable {
  package let isbn: ISBN
  /// The main title, then others that the edition has; never empty.
  package let titles: [String]
  package let authors: [String]
  /// `nil` if the record does not say.
  package let year: Int32?
  /// Empty if the record does not say.
  package let language: String

  /// The main title.
  package var title: String { titles.first ?? "" }
}

/// The record of an ISBN ([CA-21]); if several collections have one, always the same one.
package struct EditionByISBN: Statement {
  // A more complete record comes first.
  package static let sql = """
    select isbn, titles, authors, year, language from editions
    where isbn = $1
    order by cardinality(authors) = 0, year is null, language = '', source, source_id
    limit 1
    """
  let isbn: ISBN

  package init(_ isbn: ISBN) { self.isbn = isbn }

  package func bind(_ p: inout Parameters) { p.append(isbn.number) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredEdition {
    StoredEdition(
      isbn: ISBN(stored: try row.next()), titles: try row.next(), authors: try row.next(), year: try row.next(),
      language: try row.next())
  }
}
