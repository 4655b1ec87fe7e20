import CatalogDomain
import Identifiers
import Pictures
import Postgres

/// A stored book.
package struct StoredBook: RowDecodable {
  package let id: BookID
  package let ownerID: UserID
  /// Empty until identity has reported it.
  package let ownerUsername: String
  package let isbn: ISBN
  package let fields: BookFields
  package let status: BookStatus
  package let borrowerID: UserID?
  /// Empty without a borrower, or until identity has reported it.
  package let borrowerUsername: String
  /// In the order in which they were added.
  package let photoIDs: [PictureID]
  package let revision: Int64
  package let createdAt: Instant
  package let updatedAt: Instant

  /// The columns of a row `book`, joined by ``users``, that ``decode(_:)`` reads.
  static let columns = """
    book.id, book.owner_id, coalesce(owner.username, ''), book.isbn,
    book.title, book.authors, book.description, book.year, book.language,
    book.status, book.borrower_id, coalesce(borrower.username, ''),
    array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id),
    book.revision, book.created_at, book.updated_at
    """

  /// Joins the usernames of owner and borrower to a row `book`.
  static let users = """
    left join people as owner on owner.id = book.owner_id left join people as borrower on borrower.id = book.borrower_id
    """

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBook {
    StoredBook(
      id: try row.next(), ownerID: try row.next(), ownerUsername: try row.next(), isbn: ISBN(stored: try row.next()),
      fields: try fields(row), status: try status(row), borrowerID: try row.next(), borrowerUsername: try row.next(),
      photoIDs: try row.next(), revision: try row.next(), createdAt: try row.next(), updatedAt: try row.next())
  }

  private static func fields(_ row: borrowing RowReader) throws(ColumnError) -> BookFields {
    let title = Title(stored: try row.next())
    let authors: [String] = try row.next()
    let description = BookDescription(stored: try row.next())
    let year: Int32? = try row.next()
    let language: String = try row.next()
    return BookFields(
      title: title, authors: authors.map { AuthorName(stored: $0) }, description: description, year: year,
      language: language.isEmpty ? nil : LanguageName(stored: language))
  }

  static func status(_ row: borrowing RowReader) throws(ColumnError) -> BookStatus {
    let text: String = try row.next()
    guard let status = BookStatus(rawValue: text) else { throw ColumnError("there is no status \(text)") }
    return status
  }
}

extension BookFields {
  /// Binds the owner's fields and the searchable text: title, authors, description, year, language, words, names.
  func bind(_ p: inout Parameters, _ isbn: ISBN) {
    let search = searchText(isbn)
    p.append(title.text)
    p.append(authors.map(\.text))
    p.append(description.text)
    p.append(year)
    p.append(language?.text ?? "")
    p.append(search.vector)
    p.append(search.names)
  }
}
