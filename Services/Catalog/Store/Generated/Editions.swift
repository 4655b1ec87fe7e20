// Made from editions.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A bibliographic record.
package struct StoredEdition: Sendable, Equatable, RowDecodable {
  package let isbn: ISBN
  /// The main title, then others that the edition has; never empty.
  package let titles: [String]
  package let authors: [String]
  /// `nil` if the record does not say.
  package let year: Int32?
  /// Empty if the record does not say.
  package let language: String

  package init(isbn: ISBN, titles: [String], authors: [String], year: Int32?, language: String) {
    self.isbn = isbn
    self.titles = titles
    self.authors = authors
    self.year = year
    self.language = language
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredEdition {
    StoredEdition(
      isbn: try row.next(), titles: try row.next(), authors: try row.next(), year: try row.next(),
      language: try row.next())
  }
}

/// The record of an ISBN ([CA-21]); if several collections have one, always the same one.
package struct EditionByISBN: SingleRowStatement {
  package typealias Row = StoredEdition
  package static let sql = """
    select isbn, titles, authors, year, language from editions
    where isbn = $1
    order by cardinality(authors) = 0, year is null, language = '', source, source_id
    limit 1
    """
  package let isbn: ISBN

  package init(isbn: ISBN) {
    self.isbn = isbn
  }

  package func bind(_ p: inout Parameters) {
    p.append(isbn)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredEdition.decode(row)
  }
}

/// The titles of all records of an ISBN, by which its books are found ([CA-25]).
package struct TitlesOfISBN: Statement {
  package typealias Row = String
  package static let sql = """
    select titles.title as title from (select distinct recorded.title from editions cross join lateral unnest(editions.titles) as recorded (title)
    where editions.isbn = $1 order by recorded.title) as titles
    """
  package let isbn: ISBN

  package init(isbn: ISBN) {
    self.isbn = isbn
  }

  package func bind(_ p: inout Parameters) {
    p.append(isbn)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Whether records of real books are loaded.
package struct HasRecords: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (select 1 from editions where source <> 'samples') as has_records
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
